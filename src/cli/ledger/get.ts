import { Readable } from "node:stream";
import { toHex } from "../../bytes/hex.js";
import { toJsonLine } from "../../bytes/visible.js";
import { MerostoreError } from "../../errors.js";
import { missingPieces } from "../../ledger/storage/entry-values.js";
import type { ObjectReader } from "../../ledger/storage/object-reader.js";
import type { TreeEntry } from "../../ledger/tables/tree-node.js";
import { findEntry } from "../../ledger/tree/iterate.js";
import { checkOut, writeOut } from "../out-file.js";
import type { Terminal } from "../terminal.js";
import { keyOf, openPage, type PageCommandOptions, shownHead } from "./opening.js";
import { readable, textOf } from "./text.js";

export interface GetOptions extends PageCommandOptions {
  /** The key is given as hex. */
  readonly hex?: boolean | undefined;
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
  readonly out?: string | undefined;
}

/** Writes the value of an entry, or a part of it, piece by piece. */
export async function get(
  terminal: Terminal,
  folder: string,
  text: string,
  options: GetOptions,
): Promise<number> {
  const key = keyOf(text, options.hex);
  if (options.out !== undefined) {
    checkOut(options.out);
    if (options.json)
      throw new MerostoreError("INVALID_ARGUMENT", "a file has the bytes: leave out --out or --json");
  }
  await using page = await openPage(terminal, folder, options);
  const { objects } = page.view;
  const head = await shownHead(terminal, page.view);
  const entry = await findEntry(objects, head.root, key);
  if (entry === undefined) throw noEntry(key);
  const chunks = await part(objects, entry, options);
  if (options.out !== undefined) await writeOut(options.out, [Readable.from(chunks)]);
  else if (options.json) await writeJson(terminal, key, entry.priority, chunks);
  else if (terminal.interactive) await writeReadable(terminal, chunks);
  else for await (const chunk of chunks) await terminal.bytes(chunk);
  return 0;
}

export function noEntry(key: Uint8Array): MerostoreError {
  return new MerostoreError("KEY_NOT_FOUND", `the page has no entry with the key ${readable(key)}`);
}

/** What is asked for of a value; a negative offset counts from its end. */
async function part(
  objects: ObjectReader,
  entry: TreeEntry,
  { offset = 0, size }: GetOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const { value } = entry;
  const missing = missingPieces(entry);
  const from = offset < 0 ? offset + (await objects.size(value, missing)) : offset;
  // As after the end, there is nothing before the beginning.
  if (from < 0) return Readable.from([]);
  const to = size === undefined ? Number.POSITIVE_INFINITY : from + size;
  return objects.chunks(value, { from, to }, missing);
}

/** One object, whose value comes chunk by chunk. */
async function writeJson(
  terminal: Terminal,
  key: Uint8Array,
  priority: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const text = textOf(key);
  const head = toJsonLine({ key: toHex(key), ...(text !== undefined && { text }), priority });
  await terminal.text(`${head.slice(0, -1)},"value":"`);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    await terminal.text(toHex(chunk));
  }
  await terminal.text(`","size":${size}}\n`);
}

/** Text as it is, but for what would move the cursor; everything else as hex. */
async function writeReadable(terminal: Terminal, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder("utf-8");
  let isText: boolean | undefined;
  for await (const chunk of chunks) {
    isText ??= beginsAsText(chunk);
    if (!isText)
      for (let at = 0; at < chunk.length; at += 32) await terminal.line(toHex(chunk.subarray(at, at + 32)));
    else await terminal.text(decoder.decode(chunk, { stream: true }));
  }
  if (isText) await terminal.text(`${decoder.decode()}\n`);
}

/** A chunk may end within a character. */
function beginsAsText(chunk: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    return !chunk.includes(0);
  } catch {
    return false;
  }
}

import { Readable } from "node:stream";
import { invalidArgument, MerostoreError, toHex, toJsonLine } from "merostore/internal";
import {
  checkOut,
  command,
  out,
  signedNumber,
  type Terminal,
  wholeNumber,
  writeOut,
} from "merostore/internal/commands";
import { findEntry, missingPieces, type ObjectReader, type TreeEntry } from "../index.js";
import { at, hex, namedCommit, ofPage, openPage, parseKey } from "./opening.js";
import { readable, utf8Text } from "./text.js";

/** Writes the value of an entry, or a part of it, piece by piece. */
export const get = command({
  words: "get <dir> <key>",
  description: "the value of an entry, to stdout or a file",
  options: {
    offset: signedNumber("<n>", "from this byte on; a negative number counts from the end"),
    size: wholeNumber("<n>", "at most this many bytes"),
    at,
    out,
    hex,
    ...ofPage,
  },
  help: `Examples:
  merostore ledger get data name
  merostore ledger get data photo -o photo.jpg
  merostore ledger get data photo --offset -100 | xxd
  merostore ledger get data 6e616d65 --hex
  merostore ledger get data name --at head

The command writes the bytes as they are, piece by piece; a terminal shows text, or hex if the bytes are not text. In
JSON the value is hex.
Status 1 and KEY_NOT_FOUND if the entry does not exist, NEEDS_FETCH if its lazy value is not on this device.`,

  async run(terminal, given, options) {
    const { offset = 0, size, out, json } = options;
    const key = parseKey(given.key, options.hex);
    if (out !== undefined) {
      checkOut(out);
      if (json) throw invalidArgument("--out writes the bytes as they are: leave out --out or --json");
    }
    await using page = await openPage(terminal, given.dir, options);
    const { objects } = page.view;
    const head = await namedCommit(terminal, page.view, options.at ?? "head");
    const entry = await findEntry(objects, head.root, key);
    if (entry === undefined) throw noEntry(key);
    const chunks = await part(objects, entry, offset, size);
    if (out !== undefined) await writeOut(out, [Readable.from(chunks)]);
    else if (json) await writeJson(terminal, key, entry.priority, chunks);
    else if (terminal.interactive) await writeReadable(terminal, chunks);
    else for await (const chunk of chunks) await terminal.bytes(chunk);
    return 0;
  },
});

/** The error for a key that the page does not have. */
export function noEntry(key: Uint8Array): MerostoreError {
  return new MerostoreError("KEY_NOT_FOUND", `the page has no entry with the key ${readable(key)}`);
}

/** At most `size` bytes of a value from `offset` on. A negative offset counts from the end of the value. */
async function part(
  objects: ObjectReader,
  entry: TreeEntry,
  offset: number,
  size: number | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const { value } = entry;
  const missing = missingPieces(entry);
  const from = offset < 0 ? offset + (await objects.size(value, missing)) : offset;
  // A range before the beginning is empty, like a range after the end.
  if (from < 0) return Readable.from([]);
  const to = size === undefined ? Number.POSITIVE_INFINITY : from + size;
  return objects.chunks(value, { from, to }, missing);
}

/** Writes one JSON object, its value chunk by chunk. */
async function writeJson(
  terminal: Terminal,
  key: Uint8Array,
  priority: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const text = utf8Text(key);
  const head = toJsonLine({ key: toHex(key), ...(text !== undefined && { text }), priority });
  await terminal.text(`${head.slice(0, -1)},"value":"`);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    await terminal.text(toHex(chunk));
  }
  await terminal.text(`","size":${size}}\n`);
}

/** Writes text with escapes for characters that would move the cursor, and other bytes as hex. */
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

/** A repository on disk for the commands about ledgers. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RawRow, WriteOperation } from "merostore/engine";
import { afterAll } from "vitest";
import { exitOf, linesOf, type Outcome, textOf } from "../../../../test/cli/run.js";
import { removeTemporary, temporaryFolder } from "../../../../test/engines/temporary.js";
import { openLedger, ROOT_PAGE_ID } from "../../src/index.js";
import { folderPlace } from "../../src/places/index.js";
import { COLUMN } from "../../src/rows/row.js";
import { noise } from "../inputs.js";

afterAll(removeTemporary);

/** A value that comes in many pieces and cannot be compressed. */
export const LARGE = noise(200_000, 1);

/** A repository with the ledger `contacts`, whose root page has some entries, and with an empty folder beside it. */
export async function repository(engine: "leveldb" | "rocksdb" = "leveldb"): Promise<string> {
  const folder = join(temporaryFolder(), "repository");
  await using ledger = await openLedger(folder, { name: "contacts", engine });
  await using page = await ledger.rootPage();
  await page.transaction(async (tx) => {
    await tx.put("contact/alice", "Alice");
    await tx.put("contact/bob", "Bob");
    await tx.put("photo", LARGE, { priority: "lazy" });
    await tx.put(Uint8Array.of(0xff, 0x00), "binary key");
  });
  await page.put("name", "Carol");
  return folder;
}

/** A path in a new folder, where nothing is. */
export function nowhere(): string {
  return join(temporaryFolder(), "nowhere");
}

/** All rows of the root page. */
export async function rowsIn(folder: string): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  await using engine = await folderPlace(folder, "leveldb").openPage("contacts", ROOT_PAGE_ID, {
    create: false,
  });
  if (engine !== undefined)
    for await (const { key, value } of engine.scan(COLUMN))
      rows.push({ key: key.slice(), value: value.slice() });
  return rows;
}

/** Changes rows of the root page. */
export async function writeTo(folder: string, ...operations: readonly WriteOperation[]): Promise<void> {
  await using engine = await folderPlace(folder, "leveldb").openPage("contacts", ROOT_PAGE_ID, {
    create: false,
  });
  await engine?.write(operations, { sync: true });
}

export function jsonOf<T = Record<string, unknown>>({ stdout }: Outcome): readonly T[] {
  return linesOf(stdout).map((line) => JSON.parse(line) as T);
}

const main = fileURLToPath(new URL("../../../../dist/cli/merostore.js", import.meta.url));

/** Starts the built program. */
export const started = (...words: readonly string[]) => spawn(process.execPath, [main, ...words]);

/** Runs the built program with something on its stdin; stdout as bytes. */
export async function piped(
  input: Uint8Array,
  ...words: readonly string[]
): Promise<Outcome & { bytes: Buffer }> {
  const child = started(...words);
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [stderr, status] = await Promise.all([textOf(child.stderr), exitOf(child)]);
  const bytes = Buffer.concat(chunks);
  return { status, stdout: bytes.toString("utf8"), stderr, bytes };
}

/** Files of exports as they are read: to the end, or left before it. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { packedFile } from "../../../src/cli/database/packed-file.js";
import { temporaryFolder } from "../../support/fixtures.js";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

async function bytesIn(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}

const bytes = randomBytes(16 * 1024 * 1024);

it.each([
  ["plain", bytes],
  ["packed", gzipSync(bytes, { level: 1 })],
])("a %s file is not read further after the reader stops", async (name, content) => {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  const file = packedFile(path);
  for await (const piece of file.open()) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  // If the first stream were still open, it would be read to its end meanwhile.
  expect(await bytesIn(file.open())).toBe(bytes.length);
  expect(await bytesIn(file.open())).toBe(bytes.length);
  expect(file.read()).toBeLessThan(2.5 * content.length);
});

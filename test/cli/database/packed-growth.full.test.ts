/** Bounds of unpacking an export: a small file unpacks freely, and a larger one may grow by a factor. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { packedFile } from "../../../src/cli/database/packed-file.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { rejection } from "../../support/rejection.js";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const MIB = 1024 * 1024;
const zeros = gzipSync(Buffer.alloc(MIB));

/** Reads a file of random bytes and of zeros, both in MiB. Returns the unpacked MiB. */
async function unpacked(random: number, zeroed: number): Promise<number> {
  const path = join(folder.path, `${random}-${zeroed}.gz`);
  // A gzip file may have several members.
  const members = Array.from({ length: zeroed }, () => zeros);
  writeFileSync(path, Buffer.concat([gzipSync(randomBytes(random * MIB), { level: 1 }), ...members]));
  let bytes = 0;
  for await (const piece of packedFile(path).open()) bytes += piece.length;
  return bytes / MIB;
}

it("takes any file that unpacks to 512 MiB, and a larger one that grows less than 200 times", async () => {
  expect(await unpacked(0, 512)).toBe(512);
  expect(await unpacked(3, 550)).toBe(553);
});

it("refuses one that grows more", async () => {
  expect((await rejection(unpacked(0, 513), "EXPORT_INVALID")).message).toMatch(
    /more than 536,870,912 bytes/,
  );
  expect((await rejection(unpacked(3, 760), "EXPORT_INVALID")).message).toMatch(/200 times its size/);
});

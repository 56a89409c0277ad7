/** Sets of hashes: whatever kind of bytes an engine returns. */
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { HashSet } from "../../src/bytes/hash-set.js";

it("tells hashes apart that are parts of one Buffer", () => {
  const pool = randomBytes(64 * 32);
  const hashes = Array.from({ length: 64 }, (_, at) => pool.subarray(32 * at, 32 * (at + 1)));
  const set = new HashSet();
  for (const hash of hashes.slice(0, 32)) set.add(hash);
  expect(set.size).toBe(32);
  expect(hashes.map((hash) => set.has(hash))).toEqual(hashes.map((_, at) => at < 32));
});

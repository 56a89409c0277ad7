/** Options of a ledger that are none, and those that contradict what is open. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type LedgerOptions, openLedger } from "../../src/ledger/index.js";
import { rejection } from "../engine/rocksdb/helpers.js";
import { temporaryFolder } from "../engine/temporary.js";

it.each<[Record<string, unknown>, string]>([
  [{ name: "" }, "non-empty"],
  [{ name: "x".repeat(190) }, "189"],
  [{ name: 5 }, "non-empty"],
  [{ rollingHash: "V4" }, "V1, V2, V3"],
  [{ garbageCollection: "always" }, "eager-live-references"],
  [{ keyIndex: -1 }, "2^32"],
  [{ keyIndex: 2 ** 32 }, "2^32"],
  [{ keyIndex: 0.5 }, "2^32"],
  [{ engine: "sqlite" }, "leveldb, rocksdb"],
])("%j is refused before there is a folder", async (options, said) => {
  const folder = join(temporaryFolder(), "repository");
  const given = { name: "test", ...options } as unknown as LedgerOptions;
  const { message } = await rejection(openLedger(folder, given), "INVALID_ARGUMENT");
  expect(message).toContain(said);
  expect(existsSync(folder)).toBe(false);
});

it("a repository that is open with one engine is not opened with the other", async () => {
  const folder = join(temporaryFolder(), "repository");
  await using ledger = await openLedger(folder, { name: "one", engine: "rocksdb" });
  await rejection(openLedger(folder, { name: "two" }), "NOT_A_DATABASE");
  await using other = await openLedger(folder, { name: "two", engine: "rocksdb" });
  expect([ledger.name, other.name]).toEqual(["one", "two"]);
});

/** A slice of `npm run test:faults`. */
import { expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { killLedgerClearers } from "./ledger-clears.mjs";
import { killLedgerWriters } from "./ledger-kills.mjs";

it("acknowledged changes of a killed program to a ledger are present, each transaction completely or not at all", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_122);
  const counts = await killLedgerWriters(folder.path, 5, () => random.next());
  expect(counts.kills).toBe(5);
  expect(counts.acknowledged).toBeGreaterThan(5);
});

it("pieces that a killed program had cleared are removed after the next opening, and nothing else", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_123);
  const counts = await killLedgerClearers(folder.path, 2, () => random.next());
  expect(counts.kills).toBe(2);
});

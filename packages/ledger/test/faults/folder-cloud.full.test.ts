/** A slice of `npm run test:faults`. */
import { expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { killFolderDevices } from "./folder-cloud.mjs";

it("devices that are killed while they sync through slow, full and half-copied folders lose nothing and agree", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_124);
  const counts = await killFolderDevices(folder.path, 6, () => random.next(), 2);
  expect(counts.kills).toBe(6);
  expect(counts.acknowledged).toBeGreaterThan(6);
});

/** A slice of `npm run test:faults`. */
import { expect, it } from "vitest";
import { Random } from "../engines/files/history.js";
import { temporaryFolder } from "../support/fixtures.js";
import { killBlobWriters } from "./blob-kills.mjs";

it("a killed program that adds and deletes blobs leaves no row without its file", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_123);
  const counts = await killBlobWriters(folder.path, 4, () => random.next());
  expect(counts.kills).toBe(4);
  expect(counts.acknowledged).toBeGreaterThan(0);
});

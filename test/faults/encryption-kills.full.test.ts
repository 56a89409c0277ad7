/** A slice of `npm run test:faults`. */
import { expect, it } from "vitest";
import { Random } from "../engines/files/history.js";
import { temporaryFolder } from "../support/fixtures.js";
import { killRewriters } from "./encryption-kills.mjs";

it("encrypt, decrypt and rekey that are killed leave a whole database or none", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_123);
  const counts = await killRewriters(folder.path, 3, () => random.next());
  expect(counts.absent + counts.complete).toBe(3);
});

/** A slice of `npm run test:faults`. */
import { expect, it } from "vitest";
import { Random } from "../engines/files/history.js";
import { temporaryFolder } from "../support/fixtures.js";
import { killWriters } from "./kills.mjs";

it("acknowledged writes of a killed writer are present, each batch completely or not at all", async () => {
  using folder = temporaryFolder();
  const random = new Random(20_261_121);
  // Both databases are in one folder: a run does not take the databases of another one for its own.
  for (const name of ["rocksdb", "files"] as const) {
    const counts = await killWriters(folder.path, 15, () => random.next(), name);
    expect(counts.kills).toBe(15);
    expect(counts.acknowledged).toBeGreaterThan(40);
  }
});

/** A slice of `npm run test:faults -- power`. */
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../engines/files/history.js";
import { fixture } from "../engines/temporary.js";
import { temporaryFolder } from "../support/fixtures.js";
import { buildShim, cutPower, type DiskEvent } from "./power/power.mjs";

const folder = temporaryFolder();
const shim = buildShim(folder.path);

afterAll(() => folder[Symbol.dispose]());

/** Cuts with seeds, so that a failure can be repeated. */
function cut(
  cuts: number,
  options: { scenarios?: string[]; ignores?: (event: DiskEvent) => boolean } = {},
  seed = 20_261_122,
) {
  const random = new Random(seed);
  return cutPower(folder.path, cuts, {
    ...{ shim: shim as string, fixture: fixture("core-0.11/log-and-tables"), random: () => random.next() },
    ...options,
  });
}

/** The syncs of files and folders whose paths match. */
function withoutSyncs(pattern: RegExp): (event: DiskEvent) => boolean {
  const paths = new Map<string, string>();
  return ({ type, file, a }) => {
    if (type === "open") paths.set(file, String(a));
    return type === "sync" && pattern.test(paths.get(file) as string);
  };
}

// Without Linux or cc the suite is not run.
describe.skipIf(shim === undefined)("power failures", () => {
  it("lose nothing that was acknowledged as synced, and leave no half batch and no half database", async () => {
    const { counts, wrong } = await cut(40);
    expect(wrong).toEqual([]);
    expect(counts.cuts).toBe(40);
    expect(counts.acknowledged).toBeGreaterThan(25);
  });

  it.each([
    ["rocksdb", /\.log$/, /: lost: batch \d+ was acknowledged, and \d+ are there$/],
    ["files", /\.log$/, /: lost: batch \d+ was acknowledged, and \d+ are there$/],
    ["ledger-leveldb", /\.log$/, /: lost: after step \d+ the page shows neither it nor the next one$/],
    ["ledger-rocksdb", /\.log$/, /: lost: after step \d+ the page shows neither it nor the next one$/],
    ["import", /\.sst$|MANIFEST/, /: (does not open|incomplete)/],
    ["copy", /disk\/new$/, /: lost: the acknowledged database is not there$/],
  ])("are noticed: %s, without the syncs of %s", async (scenario, unsynced, message) => {
    const noticed: string[] = [];
    // The cuts that show it depend on the order of events, which differs from run to run.
    for (let seed = 1; noticed.length === 0 && seed <= 12; seed++) {
      const options = { scenarios: [scenario], ignores: withoutSyncs(unsynced) };
      const { wrong } = await cut(10, options, seed);
      noticed.push(...wrong.filter((line) => message.test(line)));
    }
    expect(noticed).not.toEqual([]);
  });
});

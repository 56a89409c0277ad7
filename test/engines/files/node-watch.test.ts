/** A writer without RocksDB looks at the locks of the system, and not too often. */
import { appendFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NodeWatch } from "../../../src/disk/node-watch.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";

cleanUpAfterEach();

/** A watched folder, and the system's answer about its lock. */
function watched(logsElsewhere = false) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "CURRENT"), "MANIFEST-000001\n");
  const state = { isLocked: false, looks: 0 };
  const watch = new NodeWatch(folder, logsElsewhere, () => {
    state.looks++;
    return state.isLocked;
  });
  return { folder, state, watch: { isAlone: (manifest = "MANIFEST-000001") => watch.isAlone(manifest) } };
}

it("looks once, and again when the names in the folder change, also right after it was created", () => {
  const { folder, state, watch } = watched();
  for (let time = 0; time < 100; time++) expect(watch.isAlone()).toBe(true);
  expect(state.looks).toBe(1);
  utimesSync(folder, 1, 1); // as if a file had been created
  for (let time = 0; time < 100; time++) expect(watch.isAlone()).toBe(true);
  expect(state.looks).toBe(2);
});

it("looks each time while a LOG is young: the node that began it may be about to take the lock", () => {
  const { folder, state, watch } = watched();
  expect(watch.isAlone()).toBe(true);
  const { atime, mtime } = statSync(folder);
  writeFileSync(join(folder, "LOG"), "");
  utimesSync(folder, atime, mtime); // a clock that is too coarse to tell
  expect(watch.isAlone()).toBe(true);
  state.isLocked = true;
  expect(watch.isAlone()).toBe(false);
  expect(state.looks).toBe(3);
});

it("notices another LOG in the place of one that is there", () => {
  const { folder, state, watch } = watched();
  const log = join(folder, "LOG");
  writeFileSync(log, "");
  expect(watch.isAlone()).toBe(true);
  renameSync(log, join(folder, "LOG.old.1"));
  writeFileSync(log, "");
  state.isLocked = true;
  expect(watch.isAlone()).toBe(false);
  appendFileSync(log, "x");
  expect(watch.isAlone()).toBe(false);
});

it("notices another CURRENT, and expects its own", () => {
  const { folder, watch } = watched();
  const { atime, mtime } = statSync(folder);
  expect(watch.isAlone()).toBe(true);
  expect(watch.isAlone("MANIFEST-000002")).toBe(false);
  writeFileSync(join(folder, "000002.dbtmp"), "MANIFEST-000002\n");
  renameSync(join(folder, "000002.dbtmp"), join(folder, "CURRENT"));
  utimesSync(folder, atime, mtime); // a clock that is too coarse to tell
  expect(watch.isAlone()).toBe(false);
  expect(watch.isAlone("MANIFEST-000002")).toBe(true);
});

it("looks each time if the LOG is in another folder", () => {
  const { state, watch } = watched(true);
  for (let time = 0; time < 5; time++) watch.isAlone();
  expect(state.looks).toBe(5);
});

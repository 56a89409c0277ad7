/** Failures between a program and a server: a few cases of each kind. `npm run test:postgres` has many. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../../../test/support/fixtures.js";
import { writeAfterConflict, writeAtOnce } from "./faults/conflicts.js";
import { copyThereAndBack } from "./faults/copies.js";
import { cutConnections } from "./faults/cuts.js";
import { compareHistories } from "./faults/histories.js";
import { killServer } from "./faults/kills.js";
import { randomFrom } from "./faults/rows.js";
import { PostgresServer } from "./support/postgres-server.js";

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

it("a conflict with another program is tried again", async () => {
  expect(await writeAfterConflict(server.url())).toBeGreaterThan(0);
});

it("batches of several programs on the same rows are whole, and none is lost", async () => {
  expect(await writeAtOnce(server.url(), 3, 15, randomFrom(1))).toMatchObject({ batches: 45 });
});

it("a cut connection is a named error, and a cut COMMIT is unknown", async () => {
  expect(await cutConnections(server.url(), 1)).toMatchObject({ scans: 1, commits: 2 });
});

it("a random history leads to the rows of the engine in memory", async () => {
  const { batches, scans } = await compareHistories(server.url(), 150, randomFrom(2));
  expect(batches + scans).toBeGreaterThan(80);
});

it("a database of a node is the same on the server and back in a folder", async () => {
  using folder = temporaryFolder();
  const path = fixturePath("core-0.11/node-c/db");
  expect(await copyThereAndBack(server.url(), "core-0.11/node-c", path, folder.path)).toBe(264);
});

it("a killed server has every acknowledged batch", async () => {
  const { batches } = await killServer(server, 1, randomFrom(3));
  expect(batches).toBeGreaterThan(0);
});

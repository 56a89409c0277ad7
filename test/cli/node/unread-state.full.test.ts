/** Rows of states and deltas of core-1.0 that do not decode, or are falsified: answers say that not all was read. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { core10 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import {
  CONTEXT,
  deltaId,
  entityRowKey,
  falsified,
  history,
  itemId,
  rowsAfter,
} from "../../state/replay/made-deltas.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf } from "../run.js";

const folder = temporaryFolder();
const [db, state, delta, leaf] = ["db", "state", "delta", "leaf"].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
  string,
];
const context = toHex(CONTEXT);

beforeAll(async () => {
  const { rows } = await rowsAfter(CONTEXT, history);
  const cut = (column: string, key: Uint8Array) =>
    ({ type: "put", column, key, value: Uint8Array.of(0xff) }) as const;
  for (const [path, ...more] of [
    [db],
    [state, cut("State", entityRowKey(itemId("b")))],
    [delta, cut("Delta", concat(CONTEXT, deltaId(6)))],
    [leaf, falsified(rows, itemId("b")).row],
  ] as const) {
    await using store = await openStore(path, { create: true, schema: core10 });
    await store.raw.write([...rows, ...more]);
  }
});
afterAll(() => folder[Symbol.dispose]());

it.each([["status"], ["hash"], ["stuck"]])("%s says that not all of the state was read", async (command) => {
  const said = "1 row of ContextState does not decode: this answer lacks its content";
  const found = await cli(command, state);
  expect(found.status).toBe(3);
  expect(found.stdout + found.stderr).toContain(said);
  expect((await cli(command, state, "--json")).status).toBe(3);
  const whole = await cli(command, db);
  expect(whole.status).toBe(0);
  expect(whole.stdout + whole.stderr).not.toContain("does not decode");
});

it("show counts the deltas that do not decode too", async () => {
  const { stdout, status } = await cli("show", delta, context);
  expect(status).toBe(3);
  expect(stdout).toMatch(/^deltas +6$/m);
  expect(stdout).toContain("ContextDagDelta 6");
  const { deltas } = JSON.parse(linesOf((await cli("show", delta, context, "--json")).stdout)[0] as string);
  expect(deltas).toBe(6);
});

it("a falsified item without children does not lack children", async () => {
  const { stdout } = await cli("state", leaf, context, "--abi", fixturePath("core-1.0", "state", "abi.json"));
  expect(stdout).not.toContain("the trie of its children is not there");
  expect(stdout).toContain("! TreeMismatch: its full hash is not that of its own hash alone");
});

/** Questions about databases of core-1.0: a namespace with its log, and a context whose deltas carry no hash. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import type { WriteOperation } from "../../../src/engine/engine.js";
import { DeltaRow } from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import {
  CONTEXT,
  deltaId,
  deltaRow,
  falsified,
  history,
  itemId,
  rowsAfter,
  setItem,
} from "../../state/replay/made-deltas.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { type Governed, governed } from "../../verify/governed/namespace.js";
import { cli, linesOf } from "../run.js";

const folder = temporaryFolder();
const [node, whole, wrong, waiting] = ["node", "whole", "wrong", "waiting"].map((name) =>
  join(folder.path, name, "data"),
) as [string, string, string, string];
const context = toHex(CONTEXT);
const idOf = (number: number): string => toHex(deltaId(number));
let made: Governed;

beforeAll(async () => {
  made = await governed();
  const governance: WriteOperation[] = [];
  for (const column of made.store.columns)
    for await (const { key, value } of made.store.raw.scan(column))
      governance.push({ type: "put", column, key: Uint8Array.from(key), value: Uint8Array.from(value) });
  const { rows } = await rowsAfter(CONTEXT, history);
  // Its parent is not there.
  const { value, ...later } = deltaRow(CONTEXT, { number: 9, actions: [setItem("z", "late", 9)] });
  const pending = { ...later, value: DeltaRow.encode({ ...DeltaRow.decode(value), applied: false }) };
  for (const [path, all] of [
    [node, governance],
    [whole, rows],
    [wrong, [...rows, falsified(rows, itemId("b")).row]],
    [waiting, [...rows, pending]],
  ] as const) {
    await using store = await openStore(path, { create: true, schema: core10 });
    await store.raw.write(all);
  }
});
afterAll(() => folder[Symbol.dispose]());

async function json(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await cli(...words, "--json");
  return linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("members, groups and why-not, now and as of an operation", async () => {
  const [namespace, group] = [toHex(made.namespaceId), toHex(made.groupId)];
  const now = await json("members", node, namespace);
  expect(now.map(({ id }) => id)).toEqual(expect.arrayContaining([made.alice.id]));
  const operations = (await json("log", node, namespace)).map(({ id }) => id as string);
  const first = operations.at(-1) as string;
  const then = await json("members", node, namespace, "--at", first);
  expect(then.length).toBeLessThan(now.length);
  const groups = await json("groups", node);
  expect(groups.map(({ id }) => id)).toEqual(expect.arrayContaining([namespace, group]));
  const before = await json("groups", node, "--at", first);
  expect(before.map(({ id }) => id)).toEqual([namespace]);
  // The commands do not guess a member's rights.
  for (const action of ["write", "add-member"]) {
    const found = await cli("why-not", node, made.alice.id, action, namespace);
    expect(found).toMatchObject({ status: 2, stdout: "" });
    expect(found.stderr).toContain("in core-1.0 is not known");
  }
});

it("contexts as of a time and of a delta", async () => {
  const [then] = await json("contexts", whole, context, "--at", "4");
  expect(then).toMatchObject({ id: context, deltas: 4, verdict: "agrees" });
  const [all] = await json("contexts", whole, "--at", "2026-09-21T14:13:23Z");
  expect(all).toMatchObject({ id: context, deltas: 3 });
});

it("hash and stuck beside another node", async () => {
  const [hash] = await json("hash", whole, wrong);
  expect(hash).toMatchObject({ context, equal: true });
  expect((await cli("stuck", whole)).status).toBe(0);
  expect(await json("stuck", waiting)).toEqual([
    expect.objectContaining({ context, delta: idOf(9), missing: [{ parent: idOf(8), in: [] }] }),
  ]);
});

it("migration, minimise and bundle", async () => {
  const migration = await cli("migration", whole);
  expect(migration.stdout).toContain("no row names the code that it runs");
  const [found] = await json("minimise", whole, wrong, context);
  expect(JSON.stringify(found)).toContain(idOf(3));
  const file = join(folder.path, "report.ndjson.gz");
  expect((await cli("bundle", whole, "-o", file)).status).toBe(0);
  const [bundled] = await json("hash", file);
  expect(bundled).toMatchObject({ context });
});

/** The relation of two nodes in a context. */
import { expect, it } from "vitest";
import { diffByContext, type RowSource, rowsOfStore } from "../../src/diff/index.js";
import { verdictOf } from "../../src/diff/verdict.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { rowsIn } from "../support/differences.js";
import { fixturePath, fixtureRows } from "../support/fixtures.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

async function lobby(nameA: string, nameB: string) {
  await using a = await openStore(fixturePath(`core-0.11/${nameA}`, "db"));
  await using b = await openStore(fixturePath(`core-0.11/${nameB}`, "db"));
  const { contexts } = await diffByContext(rowsOfStore(a), rowsOfStore(b));
  return contexts.find(({ contextId }) => contextId === LOBBY);
}

it("a node that left before the newest deltas is behind, since the first of them", async () => {
  const first = Date.parse("2026-11-21T05:51:47Z");
  const ahead = await lobby("node-a", "node-c");
  expect(ahead).toMatchObject({
    verdict: "ahead",
    onlyInA: { count: 103 },
    onlyInB: { count: 0, since: null },
  });
  const since = ahead?.onlyInA.since ?? 0;
  expect(since - (since % 1000)).toBe(first);
  expect(await lobby("node-c", "node-a")).toMatchObject({
    verdict: "behind",
    onlyInB: { count: 103, since },
  });
});

it("a node that has the older deltas by a snapshot is equal", async () => {
  const found = await lobby("node-a", "node-b");
  expect(found).toMatchObject({
    verdict: "equal",
    older: { onlyInA: 30 },
    onlyInA: { count: 0, since: null },
  });
});

it("a delta that is missing between others is not one of a snapshot", async () => {
  const rows = fixtureRows("core-0.11/node-b");
  const ofLobby = rows.filter(({ kind, parts }) => kind === "ContextDagDelta" && parts?.contextId === LOBBY);
  const parents = ({ decoded }: (typeof rows)[number]) =>
    (decoded as unknown as { readonly parents: readonly string[] }).parents;
  const ids = new Set(ofLobby.map(({ parts }) => parts?.deltaId));
  const lost = ofLobby.find((row) => parents(row).every((parent) => ids.has(parent)));
  const left = rows.filter((row) => row !== lost);
  for (const turned of [false, true]) {
    const sides = [fixtureRows("core-0.11/node-a"), left];
    const [a, b] = await Promise.all((turned ? sides.toReversed() : sides).map((of) => rowsIn(core011, of)));
    const { contexts } = await diffByContext(a as RowSource, b as RowSource);
    const found = contexts.find(({ contextId }) => contextId === LOBBY);
    const name = turned ? "onlyInB" : "onlyInA";
    expect(found).toMatchObject({
      verdict: "rows",
      agree: false,
      older: { [name]: 30 },
      [name]: { count: 1 },
    });
  }
});

it("a delta whose row does not decode is not one that a node lacks", async () => {
  const rows = fixtureRows("core-0.11/node-a");
  const meta = fixtureRows("core-0.11/node-c").find(
    ({ kind, parts }) => kind === "ContextMeta" && parts?.contextId === LOBBY,
  );
  const deltas = rows
    .filter(({ column, parts }) => column === "Delta" && parts?.contextId === LOBBY)
    .slice(0, 3);
  const others = rows.filter((row) => !deltas.includes(row) && row.key !== meta?.key);
  const unread = deltas.map((row) => ({ ...row, value: "ff" }));
  const compared = async (turned: boolean, ...given: readonly (typeof deltas)[number][]) => {
    const sides = [rows, [...others, ...given, ...(meta ? [meta] : [])]];
    const [a, b] = await Promise.all((turned ? sides.toReversed() : sides).map((of) => rowsIn(core011, of)));
    const { contexts } = await diffByContext(a as RowSource, b as RowSource);
    return contexts.find(({ contextId }) => contextId === LOBBY);
  };
  const none = { onlyInA: { count: 0, since: null }, onlyInB: { count: 0, since: null } };
  for (const turned of [false, true])
    expect(await compared(turned, ...unread)).toMatchObject({ verdict: "unknown", agree: false, ...none });
  // The rows of State are the same, but the row of the context in b has another root hash.
  const untrue = { rootHash: [false, true], heads: [false, false] };
  expect(await compared(false, ...deltas)).toMatchObject({ verdict: "rows", agree: false, untrue, ...none });
});

it("each relation has its word", () => {
  const side = (rootHash: string) => ({ rootHash, dagHeads: [] });
  const [none, some] = [
    { count: 0, since: null },
    { count: 1, since: 5 },
  ];
  const facts = {
    a: side("aa"),
    b: side("aa"),
    agree: false,
    onlyInA: none,
    onlyInB: none,
    unreadDeltas: [0, 0] as const,
    untrue: { rootHash: [false, false], heads: [false, false] } as const,
    kinds: {},
  };
  const kinds = { ContextState: { onlyInA: 0, onlyInB: 0, different: 1 } };
  expect(verdictOf({ ...facts, agree: true })).toBe("equal");
  expect(verdictOf({ ...facts, b: undefined })).toBe("absent");
  const other = { ...facts, b: side("bb") };
  expect(verdictOf({ ...other, onlyInA: some })).toBe("ahead");
  expect(verdictOf({ ...other, onlyInB: some })).toBe("behind");
  expect(verdictOf({ ...other, onlyInA: some, onlyInB: some })).toBe("both");
  expect(verdictOf({ ...facts, onlyInA: some })).toBe("rows");
  expect(verdictOf({ ...facts, b: side("bb") })).toBe("diverged");
  const unreadDeltas = [0, 1] as const;
  expect(verdictOf({ ...other, unreadDeltas })).toBe("unknown");
  expect(verdictOf({ ...other, unreadDeltas, onlyInA: some })).toBe("ahead");
  expect(verdictOf({ ...facts, unreadDeltas })).toBe("unknown");
  expect(verdictOf({ ...other, untrue: { ...facts.untrue, rootHash: [false, true] } })).toBe("rows");
  expect(verdictOf({ ...facts, kinds })).toBe("diverged");
  expect(verdictOf(facts)).toBe("rows");
});

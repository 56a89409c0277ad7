/** Histories of other nodes, the order of offered histories, and rows in words, against the fixtures. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixturePath } from "../../../test/support/fixtures.js";
import { newestFirst } from "../src/page/newest.js";
import { tracks } from "../src/worker/compare/tracks.js";
import { colourTexts } from "../src/worker/database/colours.js";
import { Database } from "../src/worker/database/database.js";
import { histories } from "../src/worker/history/histories.js";
import { history, historyRows } from "../src/worker/history/history.js";
import { newestRows } from "../src/worker/history/rows.js";
import { rowPage, rows } from "../src/worker/rows/rows.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const SHARED = "d0d840d721cee2b8c47e2f3362798ec77fa3b727e2b8819aab2d61145b408707";

function open(name: string): Promise<Database> {
  const path = fixturePath("core-0.11", name, "db");
  const files = readdirSync(path).map((file) => ({
    path: `db/${file}`,
    file: new File([readFileSync(join(path, file))], file),
  }));
  return Database.open({ from: "folder", name: "db", files });
}

async function members(...names: readonly string[]) {
  return Promise.all(names.map(async (name) => ({ name, location: name, database: await open(name) })));
}

it("tells the deltas of each node: after a snapshot, up to an end, of no member, and unreadable", async () => {
  const opened = await members("node-a", "node-b", "node-c");
  const found = await tracks([...opened, { name: "gone", location: "gone", failure: "no files" }], LOBBY);
  expect(found.map(({ times, ...track }) => ({ ...track, deltas: times.length }))).toEqual([
    {
      ...{ name: "node-b", failure: undefined, isMember: true, isSame: true },
      ...{ behind: 0, ahead: 0, isJoined: true, deltas: 125 },
    },
    {
      ...{ name: "node-c", failure: undefined, isMember: true, isSame: false },
      ...{ behind: 103, ahead: 0, isJoined: true, deltas: 22 },
    },
    {
      ...{ name: "gone", failure: "no files", isMember: false, isSame: undefined },
      ...{ behind: 0, ahead: 0, isJoined: false, deltas: 0 },
    },
  ]);
  const [back] = await tracks(opened.toReversed(), LOBBY);
  expect(back).toMatchObject({ name: "node-b", behind: 0, ahead: 103 });
  expect((await tracks(opened, SHARED)).map(({ isMember }) => isMember)).toEqual([false, false]);
});

it("offers the context that changed last first", async () => {
  const all = newestFirst(await histories(await open("node-a")));
  expect(all[0]?.thing.name).toBe("lobby");
  const times = all.map(({ changedAt }) => changedAt ?? 0);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

it("finds the newest deltas of a context from its heads on, in the order of the whole history", async () => {
  const database = await open("node-a");
  const newest = await newestRows(database, "context", LOBBY);
  const all = await historyRows(database, "context", LOBBY, 0, newest.length);
  expect(newest).toHaveLength(24);
  expect(newest.map(({ id, before, author }) => [id, before, author])).toEqual(
    all.map(({ id, before, author }) => [id, before, author]),
  );
  expect(await newestRows(database, "namespace", LOBBY)).toEqual([]);
  expect(await newestRows(database, "context", "00".repeat(32))).toEqual([]);
});

it("says in words what the rows of deltas and operations did, which sorts nothing", async () => {
  const database = await open("node-a");
  const choice = { kind: "ContextDagDelta", parts: { contextId: "lobby" } };
  const { columns } = await rows(database, choice, false, () => undefined);
  expect(columns.map(({ name }) => name).slice(0, 6)).toEqual([
    ...["contextId", "deltaId", "hlc.time", "in words", "authorId", "parents"],
  ]);
  expect(columns.filter(({ isSortable }) => !isSortable).map(({ name }) => name)).toEqual(["in words"]);
  const page = await rowPage(database, choice, 0, 155, false);
  const told = page.map(({ cells }) => cells["in words"]?.text);
  expect(told).toContain('set items["late103"] = "103"');
  expect(told).not.toContain(undefined);
  const operations = { kind: "NamespaceGovOp", parts: { namespaceId: "office" } };
  const sentences = (await rowPage(database, operations, 0, 50, false)).map(
    ({ cells }) => cells["in words"]?.text,
  );
  expect(sentences).toContain("Zoë left office");
  const meta = { kind: "ContextMeta", parts: {} };
  const { columns: others } = await rows(database, meta, false, () => undefined);
  expect(others.map(({ name }) => name)).not.toContain("in words");
});

it("tells operations that the namespace's log has from those that no log has", async () => {
  const { size, orphans, elsewhere } = await history(
    await open("node-a"),
    "group",
    "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05",
  );
  expect({ size, orphans, elsewhere: elsewhere.length }).toEqual({ size: 7, orphans: 0, elsewhere: 1 });
});

it("finds the rows of a person by the name and the id of the account", async () => {
  const database = await open("node-a");
  const found = async (where: string): Promise<number> => {
    const choice = { kind: "ContextDagDelta", parts: {}, order: { sort: "", where } };
    return (await rows(database, choice, false, () => undefined)).count;
  };
  const graph = await database.node.graph(LOBBY);
  const byZoe = graph.people.findIndex((person) => person?.id.startsWith("e8e04d8c"));
  const own = graph.authors.reduce((sum, author) => sum + (author === byZoe ? 1 : 0), 0);
  expect(own).toBeGreaterThan(0);
  expect(await found("authorId = Zoë")).toBe(own);
  expect(await found("authorId = 38ec7407")).toBe(110);
  expect(await found("Zoë")).toBe(own);
});

it("has the colours of people by their names and the first digits of their ids", async () => {
  const texts = await colourTexts(await open("node-a"));
  expect(texts).toMatchObject({ de2a2d20: 1, "38ec7407": 2, e8e04d8c: 3, Zoë: 3 });
});

/** The past in the view Time, against the library's answers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixturePath } from "../../../test/support/fixtures.js";
import { Database } from "../src/worker/database/database.js";
import {
  timeAt,
  timeDiff,
  timeLife,
  timeline,
  timePosition,
  timeText,
  timeVerdict,
} from "../src/worker/past/time.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const ROWS = { order: "newest", filter: "", from: 0, to: 5 } as const;
const goOn = async (): Promise<boolean> => true;

function open(name: string): Promise<Database> {
  const path = fixturePath(name, "db");
  const files = readdirSync(path).map((file) => ({
    path: `db/${file}`,
    file: new File([readFileSync(join(path, file))], file),
  }));
  return Database.open({ from: "folder", name: "db", files });
}

it("a context: its positions, the entries at one, their lives, and what changed between two", async () => {
  const database = await open("core-0.11/node-a");
  const shape = await timeline(database, "context", LOBBY, false, goOn);
  expect(shape).toMatchObject({ size: 155, isJoined: false, pending: 0, since: undefined });
  expect(shape?.within.map(({ name }) => name)).toEqual(["office"]);
  const then = await timeAt(database, "context", LOBBY, false, 83, ROWS);
  expect(then).toMatchObject({ position: 83, count: 76, removed: 3, total: 79, changeCount: 1 });
  expect(then.rows.map(({ name, value }) => `${name} ${value}`)).toEqual(
    [31, 30, 29, 28, 27].map((n) => `items["late${n}"] "${n}"`),
  );
  expect(then.rows[0]?.life).toMatchObject({ from: 83, to: 156 });
  const id = then.by?.id ?? "";
  expect(await timePosition(database, "context", LOBBY, false, id)).toBe(83);
  expect((await timeAt(database, "context", LOBBY, false, id.slice(0, 8), ROWS)).position).toBe(83);
  const byName = { ...ROWS, order: "name", filter: "a1" } as const;
  const named = await timeAt(database, "context", LOBBY, false, 40, byName);
  expect(named.rows.map(({ name }) => name).slice(0, 3)).toEqual([
    'items["a1"]',
    'items["a10"]',
    'items["a11"]',
  ]);
  const gone = await timeAt(database, "context", LOBBY, false, 155, { ...ROWS, to: 200 });
  const removed = gone.rows.filter(({ value }) => value === undefined);
  expect(removed).toHaveLength(gone.removed);
  const [first] = removed;
  expect(first?.was).toMatch(/^"first \d+"$/);
  const life = await timeLife(database, LOBBY, false, first?.key ?? "");
  expect(life.map(({ value }) => value)).toEqual([first?.was, undefined]);
  const diff = await timeDiff(database, "context", LOBBY, false, 155, 83);
  expect(diff).toMatchObject({ steps: 72, counts: [72, 0, 0] });
  expect(await timeVerdict(database, LOBBY, false, 83)).toMatchObject({ severity: "ok" });
  await database.close();
});

it("a node that joined: what was before its first delta is there, and has no author", async () => {
  const database = await open("core-0.11/node-b");
  const shape = await timeline(database, "context", LOBBY, false, goOn);
  expect(shape?.isJoined).toBe(true);
  expect(shape?.since).toBeLessThan(shape?.times[0] as number);
  const then = await timeAt(database, "context", LOBBY, false, 0, ROWS);
  expect(then).toMatchObject({ position: 0, by: undefined, count: 26 });
  expect(then.rows.every(({ by }) => by === undefined)).toBe(true);
  await database.close();
});

it("a text is read in the state of then", async () => {
  const database = await open("core-0.11-apps/healed-n2");
  const { context } = (await database.node.contextFacts()).find(
    ({ context: { name } }) => name === "trees of 2026",
  ) as never;
  const { id } = context as { readonly id: string };
  await timeline(database, "context", id, false, goOn);
  const texts: string[] = [];
  for (const at of [20, 60, 112]) {
    const { rows, position } = await timeAt(database, "context", id, false, at, {
      ...ROWS,
      filter: "rga_document",
      to: 9,
    });
    for (const { name, value } of rows)
      if (value === null) texts.push(String(await timeText(database, id, false, position, name)));
  }
  expect(texts.length).toBeGreaterThan(1);
  expect(new Set(texts).size).toBe(texts.length);
  await database.close();
});

it("a group: its members, their roles and its keys after an operation", async () => {
  const database = await open("core-0.11/node-a");
  const shape = await timeline(database, "group", OFFICE, false, goOn);
  expect(shape?.size).toBe(29);
  const membersAt = async (at: number): Promise<readonly string[]> => {
    const { rows, by } = await timeAt(database, "group", OFFICE, false, at, { ...ROWS, order: "name" });
    const node = await database.node.at(by?.id ?? "");
    expect(
      rows
        .filter(({ value }) => value !== undefined)
        .map(({ key }) => key)
        .sort(),
    ).toEqual((await node.members(OFFICE)).map(({ member }) => member.id).sort());
    return rows.map(({ name, value, was }) => `${name} ${value?.split(",")[0] ?? was}`);
  };
  expect((await membersAt(1)).length).toBe(1);
  expect(await membersAt(24)).toContain("Zoë Member");
  expect((await membersAt(29)).find((one) => one.startsWith("Zoë"))).toMatch(/removed|left/);
  const diff = await timeDiff(database, "group", OFFICE, false, 24, 29);
  expect(diff.removed.map(({ name }) => name)).toEqual(["Zoë"]);
  await database.close();
});

it("a replay ends when nobody waits for it, and an unknown id has no answer", async () => {
  const database = await open("core-0.11/node-a");
  await expect(timeline(database, "context", LOBBY, false, async () => false)).rejects.toThrow("left");
  expect(await timeline(database, "context", "abc", false, goOn)).toBeUndefined();
  expect(await timeline(database, "context", "0".repeat(64), false, goOn)).toBeUndefined();
  await database.close();
});

/** The view of a state of core-1.0: the worker's answers for the rows of the page. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { core10 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { about, expected, rows } from "../../../test/state/one-row.js";
import { fixturePath, temporaryFolder } from "../../../test/support/fixtures.js";
import { Database } from "../src/worker/database/database.js";
import { stateEntity } from "../src/worker/state/entity.js";
import { giveManifest } from "../src/worker/state/source.js";
import { stateChildren, stateRoot, stateSurvey } from "../src/worker/state/state.js";

it("a state of core-1.0 is shown with its entities, each in one row", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "db");
  {
    await using store = await openStore(path, { create: true, schema: core10 });
    await store.raw.write(rows);
  }
  const files = readdirSync(path).map((name) => ({
    path: `db/${name}`,
    file: new File([readFileSync(join(path, name))], name),
  }));
  const database = await Database.open({ from: "folder", name: "db", files });
  expect(database.opened.revision).toBe("core-1.0");
  const abi = new File([readFileSync(fixturePath("core-1.0", "state", "abi.json"))], "abi.json");
  await giveManifest(database, about.context, abi);

  const root = await stateRoot(database, about.context, false);
  expect(root.problems).toEqual([]);
  expect(root.rows.map(({ name, problem }) => [name, problem])).toEqual(
    Object.keys(expected).map((name) => [name, undefined]),
  );
  expect(root.root.row).toMatchObject({ fullHash: about.rootHash });
  const shown = (name: string) => root.rows.find((one) => one.name === name);
  for (const name of ["title", "hits", "balance", "note", "essay", "motto"])
    expect([name, shown(name)?.value.text]).toEqual([name, String(expected[name]).slice(0, 200)]);
  expect(shown("items")?.opens).toBe(Object.keys(expected.items as object).length);

  const page = await stateChildren(database, about.context, false, "posts", undefined, 10, 5);
  const posts = expected.posts as Readonly<Record<string, string>>;
  expect(page.rows.map(({ problem }) => problem)).toEqual(new Array(5).fill(undefined));
  expect(page.rows.map(({ value }) => value.text)).toEqual(page.rows.map(({ name }) => posts[name]));
  const [first] = page.rows;
  const entity = await stateEntity(database, about.context, false, first?.entity?.id, "", undefined, true);
  expect(entity?.row?.path).toBe(first?.path);
  expect(entity?.entity?.row).toMatchObject({
    storage: "User",
    owner: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(entity?.rows).toEqual([
    { kind: "ContextState", what: "entity", key: `${about.context}00${first?.entity?.id}` },
  ]);

  const log = await stateChildren(database, about.context, false, "log", undefined, 590, 20);
  expect(log.rows.map(({ value }) => value.text)).toEqual((expected.log as readonly string[]).slice(590));
  expect(await stateSurvey(database, about.context, false)).toMatchObject({
    entities: about.entities,
    tombstones: about.deleted,
    undecoded: 0,
    unreachableCount: 0,
    problemCount: 0,
  });
  await database.store.close();
});

/** A database of a node that is newer than merostore, on the command line. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { core10, openStore } from "../../../src/index.js";
import { ContextConfig } from "../../../src/keys/index.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { cli, rowsOf } from "../run.js";
import { addFamily } from "./add-family.js";

const SAYS =
  /written by a node newer than 1\.0\.0-rc\.8: 1 of 29 column families and 0 of 1 kind of rows are unknown/;

it("is read as far as it is known, verified with a status of its own, and copied whole", async () => {
  using folder = temporaryFolder();
  const db = join(folder.path, "db");
  {
    await using store = await openStore(db, { schema: core10, create: true });
    await store.put(new ContextConfig({ contextId: new Uint8Array(32).fill(1) }), {
      applicationRevision: 1n,
      membersRevision: 2n,
    });
  }
  await addFamily(db, "Moons", [["one", "phase"]]);

  const verified = await cli("verify", db);
  expect(verified.status).toBe(4);
  expect(verified.stdout).toMatch(SAYS);
  expect(verified.stdout).toMatch(/no errors/i);
  expect((await cli("status", "--rows", db)).stdout).toMatch(SAYS);
  const contexts = await cli("scan", db, "ContextConfig", "--json");
  expect(contexts.status).toBe(0);
  expect(contexts.stderr).toMatch(SAYS);

  const rows = rowsOf(await cli("scan", "--json", db, "--reveal-secrets"));
  expect(rows).toHaveLength(2);
  const copy = join(folder.path, "copy");
  expect((await cli("db", "copy", db, copy)).status).toBe(0);
  expect(rowsOf(await cli("scan", "--json", copy, "--reveal-secrets"))).toEqual(rows);
  const backup = join(folder.path, "backup");
  expect((await cli("backup", db, backup)).status).toBe(0);
  expect(rowsOf(await cli("scan", "--json", backup, "--reveal-secrets"))).toEqual(rows);
  const text = join(folder.path, "rows.jsonl");
  expect((await cli("export", db, "--out", text, "--reveal-secrets")).status).toBe(0);
  const imported = join(folder.path, "imported");
  expect((await cli("import", text, imported)).status).toBe(0);
  expect(rowsOf(await cli("scan", "--json", imported, "--reveal-secrets"))).toEqual(rows);
});

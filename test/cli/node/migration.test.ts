/** Contexts by the version of their application. The fixture's upgrade was pending first, and done later. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { BlobMeta, ContextMigrationFailed } from "../../../src/keys/index.js";
import { type ContextMigration, contextMigrations } from "../../../src/state/index.js";
import { openStore } from "../../../src/store/index.js";
import { appsDatabase, appsId } from "../../support/apps.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

describe("migration", () => {
  it("names the context that an upgrade waits for, and what it waits for", async () => {
    using apps = appsDatabase("upgrade-pending-n1");
    const { status, stdout } = await played(140, "migration", apps.path);
    expect(status).toBe(1);
    const lines = linesOf(stdout);
    const at = lines.findIndex((line) =>
      line.startsWith("com.calimero.migration-suite 2.0.0, code 35d041d2"),
    );
    expect(lines[at + 1]).toMatch(
      /^ {2}rungs \(dc2c50fa\) {2}behind: runs code 614de23f[0-9a-f]*; takes the new version by migrate_v1_to_v2 when it is next used$/,
    );
    expect(lines.filter((line) => line.includes("behind"))).toHaveLength(1);
  });

  it("nothing gives earlier code the version that is installed now", async () => {
    using apps = appsDatabase("upgrade-pending-n1");
    const name = "com.calimero.migration-suite";
    const said = async (...words: readonly string[]): Promise<string> =>
      (await cli(...words, "--short")).stdout.replaceAll(/\s+/g, " ");
    const log = await said("log", apps.path, "ladder");
    expect(log).toContain(`with application ${name} (073b10b6) (code 614de23f`);
    expect(log).toContain(`to ${name} 2.0.0 (073b10b6) (code 35d041d2`);
    expect(await said("groups", apps.path, "ladder", "--at", "3")).toContain(
      `application ${name} (073b10b6)`,
    );
    expect(await said("groups", apps.path, "ladder")).toContain(`application ${name} 2.0.0 (073b10b6)`);
    expect(await said("contexts", apps.path, "rungs")).toContain(`application ${name} (073b10b6)`);
    const upgraded = fixturePath("core-0.11-apps/upgraded-n1/db");
    expect(await said("contexts", upgraded, "rungs")).toContain(`application ${name} 2.0.0 (073b10b6)`);
  });

  it("says that it is done", async () => {
    const upgraded = fixturePath("core-0.11-apps/upgraded-n1/db");
    const { status, stdout } = await played(140, "migration", upgraded);
    expect(status).toBe(0);
    expect(linesOf(stdout)).toContain("  rungs (dc2c50fa)  up to date; state version 2");
    const json = await played(0, "migration", upgraded, "--json");
    const rungs = linesOf(json.stdout)
      .map((line) => JSON.parse(line) as { name: string })
      .find(({ name }) => name === "rungs");
    expect(rungs).toMatchObject({
      isBehind: false,
      stateVersion: 2,
      applicationStateVersion: expect.any(Number),
      wantedStateVersion: 2,
      lacksCode: false,
    });
  });

  it("has the version that the application names in text and in JSON, beside the one that the context activated", async () => {
    const node = fixturePath("core-0.11/node-a/db");
    const text = await played(140, "migration", node);
    const heads = linesOf(text.stdout).filter((line) => line.includes("application state version"));
    expect(heads.length).toBeGreaterThan(3);
    for (const head of heads) expect(head).toMatch(/, application state version 0$/);
    for (const line of linesOf((await played(0, "migration", node, "--json")).stdout))
      expect(JSON.parse(line)).toMatchObject({ stateVersion: null, applicationStateVersion: 0 });
  });

  it("does not know whether a context is behind in an export without its group", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "lobby.ndjson");
    await cli(
      "export",
      fixturePath("core-0.11/node-a/db"),
      "--context",
      "lobby",
      "--without-secrets",
      "-o",
      file,
    );
    const { stdout } = await played(140, "migration", file);
    expect(stdout).toMatch(/ \(b875f1c0\) {2}unknown: no row names the code that it should run\n$/);
  });

  it("does not call a context of core-0.10 behind if it has the application of its group", async () => {
    const { status, stdout } = await played(100, "migration", fixturePath("core-0.10/node-a/db"));
    expect([status, stdout.includes("behind")]).toEqual([0, false]);
  });

  it("names a migration that failed, and code that is not there", async () => {
    using apps = appsDatabase("upgrade-pending-n1");
    await using store = await openStore(apps.path);
    const contextId = fromHex(appsId("contexts", "rungs"));
    const overlay = store.overlay();
    overlay.put(new ContextMigrationFailed({ contextId }), { kind: 1 });
    const pending = await rungsIn(store);
    overlay.delete(new BlobMeta({ blobId: fromHex(pending?.wanted as string) }));
    expect(pending).toMatchObject({ isBehind: true, failed: undefined, lacksCode: false });
    expect(await rungsIn(overlay)).toMatchObject({ isBehind: true, failed: "aborted", lacksCode: true });
  });
});

async function rungsIn(
  reader: Parameters<typeof contextMigrations>[0],
): Promise<ContextMigration | undefined> {
  for await (const one of contextMigrations(reader))
    if (one.context === appsId("contexts", "rungs")) return one;
  return undefined;
}

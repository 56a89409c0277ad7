/** Applications that a joined node knows only by the blobs of their code: their bundles name them. */
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { blobFolder } from "../../src/blobs/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { bundleNames } from "../../src/state/index.js";
import { openStore } from "../../src/store/index.js";
import { cli } from "../cli/run.js";
import { appsDatabase, appsId, appsPath } from "../support/apps.js";

const SET = appsId("applications", "sorted-set-store");

it("names an application by the bundle in the blobs, which other nodes got with its installation", async () => {
  using database = appsDatabase("healed-n2");
  await using store = await openStore(database.path);
  const bundleName = bundleNames(store, await blobFolder(appsPath("blobs")));
  const named = await new CalimeroNode(store, { bundleName }).names();
  expect(named.application(SET).name).toBe("com.calimero.sorted-set 1.0.0");
  expect((await new CalimeroNode(store).names()).application(SET).name).toBeUndefined();
  // The fixture has no file of this bundle.
  expect(named.application(appsId("applications", "custom-key-store")).name).toBeUndefined();
});

it("leaves an application without a name where the file of its bundle is damaged", async () => {
  using database = appsDatabase("healed-n2");
  const blobs = join(dirname(database.path), "blobs");
  cpSync(appsPath("blobs"), blobs, { recursive: true });
  const contexts = (): Promise<{ readonly stdout: string }> => cli("contexts", database.path);
  expect((await contexts()).stdout).toContain("com.calimero.sorted-set 1.0.0");
  for (const file of readdirSync(blobs)) writeFileSync(join(blobs, file), "no bundle");
  const { stdout } = await contexts();
  expect(stdout).not.toContain("com.calimero.sorted-set");
  expect(stdout).toContain(SET);
});

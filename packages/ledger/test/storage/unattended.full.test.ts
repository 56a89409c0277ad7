/** Programs that do not close their pages end: work in the background keeps none of them running. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { folderPlace } from "../../src/places/folder-place.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";

const program = fileURLToPath(new URL("unattended.mjs", import.meta.url));

function run(folder: string, how: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, folder, how], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "done", stderr: "" });
}

it("a program ends although pieces are left to remove, and the next one removes them", async () => {
  using folder = temporaryFolder();
  run(folder.path, "leave");
  run(folder.path, "tidy");
  const stored = await readStored(folderPlace(folder.path, "leveldb"));
  expect(faultsOf(stored)).toEqual([]);
  expect(rowsOf(stored, "commit")).toHaveLength(1);
});

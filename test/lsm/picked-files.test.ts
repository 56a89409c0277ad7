/** A database from `File` objects, which Node has too; `npm run test:browser` does it in a browser. */
import { File } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFiles, type PickedFile, pickedFiles } from "../../src/engines/files/index.js";
import { storeOn } from "../../src/store/index.js";
import { countRows } from "../engines/rocksdb/helpers.js";
import { fixtureLines, fixturePath } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";

/** The files of a fixture's database, as if their folder had been picked, or one around it. */
function picked(name: string, folder?: string): readonly PickedFile[] {
  const path = fixturePath(name, "db");
  return readdirSync(path).map((file) => {
    const found = new File([readFileSync(join(path, file))], file);
    return folder === undefined ? found : Object.assign(found, { webkitRelativePath: `${folder}/${file}` });
  });
}

const outer = "core-0.11/node-b";
const other = "core-0.11/node-c";

describe("picked files", () => {
  it("open as the database that they belong to", async () => {
    await using store = await storeOn(await openFiles(pickedFiles(picked(outer))));
    expect(store.schema.name).toBe("core-0.11");
    expect(await countRows(store.raw)).toBe(fixtureLines(outer).length);
  });

  it("may include files around and within the folder of the database", async () => {
    const files = [
      new File(["x"], "config.toml"),
      ...picked(other, "node/data/backup"),
      ...picked(outer, "node/data"),
      ...picked(other, "node/data/checkpoints/1"),
    ];
    await using engine = await openFiles(pickedFiles(files));
    expect(await countRows(engine)).toBe(fixtureLines(outer).length);
  });

  it("are refused if they contain several databases", async () => {
    const files = [...picked(outer, "nodes/a"), ...picked(other, "nodes/b")];
    await rejection(
      (async () => openFiles(pickedFiles(files)))(),
      "INVALID_ARGUMENT",
      "nodes/a/ and nodes/b/",
    );
  });

  it("are not a database without CURRENT", async () => {
    const files = picked(outer, "data").filter(({ name }) => name !== "CURRENT");
    await rejection(openFiles(pickedFiles(files)), "NOT_A_DATABASE");
  });
});

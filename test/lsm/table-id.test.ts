/** The identity of tables in the MANIFEST, against tables that Rust wrote. */
import { expect, it } from "vitest";
import { folderFiles } from "../../src/disk/folder.js";
import { readCatalog } from "../../src/lsm/catalog/catalog.js";
import { tableName } from "../../src/lsm/catalog/file-names.js";
import { readTableEnd } from "../../src/lsm/format/table-end.js";
import { isAnother } from "../../src/lsm/format/table-id.js";
import type { FileSource } from "../../src/lsm/source.js";
import { fixturePath } from "../support/fixtures.js";

/** A number that no file has: the identity is then hashed, as for tables that were ingested. */
const OTHER = 0;

it.each(["core-0.10/tables", "core-0.11/node-a", "core-0.11/node-a-compressed"])(
  "is that of the properties of each table, and of no other: %s",
  async (fixture) => {
    const files = folderFiles(fixturePath(fixture, "db"));
    const { manifest } = await readCatalog(files);
    let previous: Uint8Array | undefined;
    for (const file of manifest.liveFiles) {
      const source = (await files.open(tableName(file.number))) as FileSource;
      const { properties } = await readTableEnd(source);
      source.close();
      expect(file.uniqueId).toHaveLength(16);
      expect(await isAnother(properties, file)).toBe(false);
      expect(await isAnother(properties, { ...file, number: OTHER })).toBe(false);
      if (previous !== undefined) expect(await isAnother(previous, file)).toBe(true);
      previous = properties;
    }
    expect(previous).toBeDefined();
  },
);

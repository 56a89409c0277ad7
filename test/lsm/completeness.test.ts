/** The files beside a MANIFEST that show whether it is whole. */
import { readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NumberMap } from "../../src/bytes/number-map.js";
import type { Catalog } from "../../src/lsm/catalog/catalog.js";
import { findIncompleteness } from "../../src/lsm/catalog/completeness.js";
import { openStore } from "../../src/store/index.js";
import { copyOfDatabase } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";

/**
 * A database with a column family that was long not written to. Its writer was killed after a compaction: the log of
 * table 35 is gone, and so is the MANIFEST whose record deleted the table.
 */
function catalog(manifestName: string, optionsName: string): Catalog {
  const name = (number: number): string => `${`${number}`.padStart(6, "0")}.sst`;
  const live = [28, 30, 34, 36, 41, 43];
  return {
    files: { name: "db", where: (file: string) => `db/${file}` },
    manifest: {
      minLogNumber: 28,
      columns: [
        { id: 0, name: "default", logNumber: 42 },
        { id: 2, name: "Meta", logNumber: 28 },
      ],
      liveFiles: live.map((number) => ({ number, size: 1, column: "default" })),
      deletedFiles: new Set(),
      dropped: new Set(),
    },
    ...{
      manifestName,
      manifestEnd: 996,
      manifestLength: 996,
      optionsName,
      options: { columns: ["default", "Meta"] },
    },
    logs: [37, 42],
    tables: new NumberMap([...live, 35].toSorted((a, b) => a - b).map((number) => [number, name(number)])),
  } as unknown as Catalog;
}

describe("a table that the MANIFEST does not know, and whose log is gone", () => {
  it("was deleted before a writer at work began the MANIFEST", async () => {
    expect(await findIncompleteness(catalog("MANIFEST-000045", "OPTIONS-000040"), () => 1)).toBeUndefined();
  });

  it.each([
    ["the MANIFEST was begun when the database was opened", "MANIFEST-000045", "OPTIONS-000047"],
    ["the table is newer than the MANIFEST", "MANIFEST-000033", "OPTIONS-000032"],
  ])("was named in records that are lost, if %s", async (_, manifestName, optionsName) => {
    expect(await findIncompleteness(catalog(manifestName, optionsName), () => 1)).toMatchObject({
      message: expect.stringContaining("does not name the table file 000035.sst"),
    });
  });
});

it("a log has rows of a column family that a cut MANIFEST does not mention, without an OPTIONS file", async () => {
  using copy = copyOfDatabase("core-0.11/log");
  const path = (start: string) =>
    join(copy.path, readdirSync(copy.path).find((name) => name.startsWith(start)) ?? "");
  rmSync(path("OPTIONS"));
  truncateSync(path("MANIFEST"), statSync(path("MANIFEST")).size - 1);
  await rejection(
    openStore(copy.path),
    "DATABASE_DAMAGED",
    /MANIFEST-000005 is truncated: it does not mention a column family that 000004\.log has rows of/,
  );
});

/** Files of a database outside its folder: no reader silently goes without them. */

import { appendFileSync, copyFileSync, cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backupDatabase, openEngine, openFilesEngine, openRocksEngine } from "../../../src/engines/index.js";
import { filesOf, logsOf, optionsOf, tablesOf } from "../../support/files.js";
import { rejection } from "../../support/rejection.js";
import { rowsAt } from "../../support/transfer.js";
import { countRows } from "../rocksdb/helpers.js";
import {
  cleanUpAfterEach,
  fixture,
  plainFixtureNames,
  temporaryCopy,
  temporaryFolder,
} from "../temporary.js";

cleanUpAfterEach();

/** Names a folder of logs in the newest OPTIONS file, as RocksDB does: in its section of the database. */
function nameLogFolder(path: string, folder: string): void {
  appendFileSync(optionsOf(path), `\n[DBOptions]\n  wal_dir=${folder}\n`);
}

/** A copy of a database, whose logs were moved to a folder that its OPTIONS name. */
function withLogsElsewhere(): { readonly path: string; readonly logs: string } {
  const path = temporaryCopy(fixture("core-0.10/node-a"));
  const logs = join(temporaryFolder(), "logs");
  mkdirSync(logs);
  for (const name of logsOf(path)) renameSync(join(path, name), join(logs, name));
  nameLogFolder(path, logs);
  return { path, logs };
}

/** Every way to open a database. */
const ways: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  files: (path) => openFilesEngine(path),
  "the engine that suits": (path) => openEngine(path),
  "RocksDB, for reading": (path) => openRocksEngine(path),
  "RocksDB, for writing": (path) => openRocksEngine(path, { writable: true }),
  "RocksDB, accepting loss": (path) => openRocksEngine(path, { writable: true, acceptLogLoss: true }),
  "a backup": (path) => backupDatabase(path, join(temporaryFolder(), "copy")),
};

describe("write-ahead logs in a folder of their own (wal_dir)", () => {
  it.each(Object.keys(ways))("are refused by name, and nothing is changed: %s", async (way) => {
    const { path, logs } = withLogsElsewhere();
    const before = filesOf(path);
    const { message } = await rejection(
      ways[way]?.(path) as Promise<unknown>,
      "FORMAT_UNSUPPORTED",
      optionsOf(path),
    );
    expect(message).toContain(`${logs} (wal_dir)`);
    expect(filesOf(path)).toEqual(before);
  });

  it("are read after they were put into the folder, as the error advises", async () => {
    const { path, logs } = withLogsElsewhere();
    for (const name of logsOf(logs)) copyFileSync(join(logs, name), join(path, name));
    const wanted = await rowsAt(fixture("core-0.10/node-a"));
    expect(await rowsAt(path)).toEqual(wanted);
    const copy = join(temporaryFolder(), "copy");
    await backupDatabase(path, copy);
    expect(await rowsAt(copy)).toEqual(wanted);
  });

  it("are missed beside a log of before, when the folder was not named yet", async () => {
    const path = temporaryCopy(fixture("core-0.10/node-a"));
    const [old] = logsOf(path) as [string];
    const elsewhere = temporaryFolder();
    // Has the effect of opening with another folder: RocksDB does not see the log here, and begins one there.
    rmSync(join(path, old));
    await (await openRocksEngine(path, { writable: true, acceptLogLoss: true })).close();
    for (const name of logsOf(path)) renameSync(join(path, name), join(elsewhere, name));
    copyFileSync(join(fixture("core-0.10/node-a"), old), join(path, old));
    nameLogFolder(path, elsewhere);
    await rejection(openFilesEngine(path), "FORMAT_UNSUPPORTED");
    await rejection(openRocksEngine(path, { writable: true }), "FORMAT_UNSUPPORTED");
  });
});

describe("a folder of logs that is the database's own, where it was when it was written", () => {
  const withLog = plainFixtureNames().filter((name) => logsOf(fixture(name)).length > 0);

  it.each(withLog)("is no other folder for a copy: %s", async (name) => {
    const path = temporaryCopy(fixture(name));
    nameLogFolder(path, "/data/node/db");
    const wanted = await rowsAt(fixture(name));
    expect(await rowsAt(path)).toEqual(wanted);
    await using engine = await openRocksEngine(path, { writable: true });
    expect(await countRows(engine)).toBe(wanted.length);
  });

  it("is known by its place when it has no log", async () => {
    const path = temporaryCopy(fixture("core-0.11/tables"));
    for (const name of logsOf(path)) rmSync(join(path, name));
    nameLogFolder(path, `${path}/../db/`);
    await rejection(openFilesEngine(path), "LOG_MISSING");
  });
});

describe("tables in another folder", () => {
  it.each(Object.keys(ways))("are refused by name if the MANIFEST shows them (db_paths): %s", async (way) => {
    const path = join(temporaryFolder(), "db");
    cpSync(fixture("formats/second-path"), path, { recursive: true });
    await rejection(
      ways[way]?.(path) as Promise<unknown>,
      "FORMAT_UNSUPPORTED",
      /MANIFEST-\d+: table files are in several folders/,
    );
  });

  it("are reported as missing if nothing shows them (db_paths): %s", async () => {
    const path = temporaryCopy(fixture("core-0.11/tables"));
    for (const name of tablesOf(path)) rmSync(join(path, name));
    await rejection(
      openFilesEngine(path),
      "DATABASE_DAMAGED",
      /\.sst with rows of \w+ is missing, or lies in another folder \(db_paths, cf_paths\)/,
    );
  });
});

/** Copies of databases by their files. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backupDatabase, openEngine, openFilesEngine, openRocksEngine } from "../../../src/engines/index.js";
import type { Progress } from "../../../src/progress.js";
import { filesOf, flipBit, largestTable, logsOf, manifestOf, tablesOf } from "../../support/files.js";
import { databases, fixturePath, forms } from "../../support/fixtures.js";
import { rejection } from "../../support/rejection.js";
import { rowsAt } from "../../support/transfer.js";
import { cleanUpAfterEach, removeTemporary, temporaryCopy, temporaryFolder } from "../temporary.js";
import { batchesIn, Writer } from "./beside.js";

describe("a backup", () => {
  cleanUpAfterEach();

  it.each(databases)("of $name has the same rows, and can be written to", async ({ name, rows }) => {
    const path = fixturePath(name, "db");
    const before = filesOf(path);
    const folder = temporaryFolder();
    const copy = join(folder, "copy");
    const progress: Progress[] = [];
    const backup = await backupDatabase(path, copy, { onProgress: (at) => progress.push(at) });

    expect(filesOf(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["copy"]);
    expect(backup.warnings).toEqual([]);
    expect(backup.tables).toBe(tablesOf(path).length);
    expect(backup.bytes).toBe(
      readdirSync(copy).reduce((sum, file) => sum + statSync(join(copy, file)).size, 0),
    );
    for (const { done, total = 0 } of progress) expect(done).toBeLessThanOrEqual(total);
    expect(progress.at(-1)?.total).toBe(2 * backup.bytes);

    const wanted = await rowsAt(path);
    expect(wanted).toHaveLength(rows);
    expect(await rowsAt(copy)).toEqual(wanted);
    {
      await using engine = await openRocksEngine(copy, { writable: true });
      expect(engine.warnings).toEqual([]);
      await engine.write([{ type: "put", column: "Meta", key: Uint8Array.of(1), value: Uint8Array.of(2) }]);
      await engine.flush();
    }
    expect(await rowsAt(copy)).toHaveLength(rows + 1);
  });

  it("has the files of the database, a list of them, and no others", async () => {
    const path = temporaryCopy(fixturePath("core-0.10/tables", "db"));
    await (await openRocksEngine(path, { writable: true })).close(); // leaves RocksDB's log for people
    writeFileSync(join(path, "notes.txt"), "text");
    mkdirSync(join(path, "blobs"));
    const copy = join(temporaryFolder(), "copy");
    await backupDatabase(path, copy);
    for (const name of readdirSync(copy)) {
      expect(name).toMatch(
        /^(\d+\.(sst|log)|MANIFEST-\d+|OPTIONS-\d+|CURRENT|IDENTITY|merostore-files\.json)$/,
      );
      if (!MADE.includes(name))
        expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(path, name)));
    }
  });

  it("accepts an empty folder, and creates missing parents", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    for (const target of [join(folder, "empty"), join(folder, "a", "b")]) {
      await backupDatabase(fixturePath("core-0.10/node-b", "db"), `${target}/`);
      expect(await rowsAt(target)).toHaveLength(371);
    }
  });
});

/** Files of a copy that are made, not copied. */
const MADE = ["CURRENT", "merostore-files.json"];

describe("every form of RocksDB's files", () => {
  cleanUpAfterEach();

  /** Databases with tables elsewhere, or with an unknown order of keys. */
  const refused = ["blob-files", "comparator", "second-path", "user-timestamps"];
  /** Databases that are copied although they cannot be read here. */
  const unread = [
    "bzip2",
    "index-first-key",
    "ingested",
    "log-compressed",
    "merge-operands",
    "merge-operands-log",
    "plain-table",
  ];
  /** The copy would lack the writes behind the damage too. */
  const lossy = "log-damaged";

  it.each(forms)("$name: $about", async ({ name }) => {
    const path = fixturePath("formats", name, "db");
    const folder = temporaryFolder();
    const copy = join(folder, "copy");
    if (refused.includes(name) || name === lossy) {
      const code = name === lossy ? "DATABASE_DAMAGED" : "FORMAT_UNSUPPORTED";
      await rejection(backupDatabase(path, copy), code, path);
      expect(readdirSync(folder)).toEqual([]);
      return;
    }
    const { warnings } = await backupDatabase(path, copy);
    for (const file of readdirSync(copy)) {
      if (MADE.includes(file)) continue;
      const same = readFileSync(join(copy, file)).equals(readFileSync(join(path, file)));
      expect(same, file).toBe(true);
    }
    if (unread.includes(name)) {
      const message = expect.stringContaining("the copy was not read through");
      expect(warnings).toEqual([{ code: "COPY_UNREAD", message }]);
      return;
    }
    const torn = [{ code: "LOG_DAMAGED", message: expect.stringMatching(/\.log is truncated/) }];
    expect(warnings).toEqual(name === "log-torn" ? torn : []);
    expect(await rowsAt(copy)).toEqual(await rowsAt(path));
  });
});

describe("a database that is damaged", () => {
  cleanUpAfterEach();

  const table = (path: string) => join(path, tablesOf(path)[0] as string);
  const shortened = (file: string, by: number): string => {
    truncateSync(file, statSync(file).size - by);
    return file;
  };

  it.each<[string, spoil: (path: string) => string, says: RegExp]>([
    [
      "a table that is missing",
      (path) => {
        const file = table(path);
        rmSync(file);
        return file;
      },
      /is missing/,
    ],
    ["a shorter table", (path) => shortened(table(path), 1), /has \d+ bytes and should have \d+/],
    [
      "a longer table",
      (path) => {
        appendFileSync(table(path), "x");
        return table(path);
      },
      /has \d+ bytes and should have \d+/,
    ],
    ...[0.01, 0.4].map((share): [string, (path: string) => string, RegExp] => [
      `a wrong bit at ${share} of a table`,
      (path) => {
        const file = join(path, largestTable(path));
        flipBit(file, { share });
        return file;
      },
      /is damaged/,
    ]),
    [
      "a MANIFEST that was cut, whose last record removed a table",
      (path) => {
        shortened(manifestOf(path), 3);
        return join(path, "000015.sst");
      },
      /MANIFEST-\d+, which names it, is truncated/,
    ],
    [
      "a CURRENT that names no MANIFEST",
      (path) => {
        writeFileSync(join(path, "CURRENT"), "nothing\n");
        return join(path, "CURRENT");
      },
      /does not name a MANIFEST/,
    ],
  ])("is refused by the name of the file, and nothing is left of the copy: %s", async (_, spoil, says) => {
    const path = temporaryCopy(fixturePath("core-0.10/tables", "db"));
    const file = spoil(path);
    const before = filesOf(path);
    const folder = temporaryFolder();
    for (const target of ["on/the/way", "copy"]) {
      const refused = await rejection(backupDatabase(path, join(folder, target)), "DATABASE_DAMAGED", says);
      expect(refused.message).toContain(file);
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(filesOf(path)).toEqual(before);
  });

  it("is copied unchanged if its log ends early, with a warning", async () => {
    const path = temporaryCopy(fixturePath("core-0.10/log-and-tables", "db"));
    const log = logsOf(path).find((name) => statSync(join(path, name)).size > 0) as string;
    shortened(join(path, log), 5);
    const copy = join(temporaryFolder(), "copy");
    const truncated = (at: string) => [
      { code: "LOG_DAMAGED", message: expect.stringContaining(`${join(at, log)} is truncated at byte`) },
    ];
    expect((await backupDatabase(path, copy)).warnings).toEqual(truncated(path));
    expect(await rowsAt(copy)).toEqual(await rowsAt(path));
    await using engine = await openFilesEngine(copy);
    expect(engine.warnings).toEqual(truncated(copy));
  });
});

describe.skipIf(process.platform === "win32")("the modes of a backup", () => {
  cleanUpAfterEach();

  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const modesIn = (path: string) => [...new Set(readdirSync(path).map((name) => modeOf(join(path, name))))];

  it.each([
    [0o700, 0o600],
    [0o755, 0o644],
    [0o500, 0o400],
  ])("are 0700 and 0600, independent of the database: %o, %o", async (folderMode, fileMode) => {
    const path = temporaryCopy(fixturePath("core-0.10/tables", "db"));
    for (const name of readdirSync(path)) chmodSync(join(path, name), fileMode);
    chmodSync(path, folderMode);
    const parent = join(temporaryFolder(), "missing");
    const copy = join(parent, "copy");
    const mask = process.umask(0);
    try {
      await backupDatabase(path, copy);
    } finally {
      process.umask(mask);
    }
    chmodSync(path, 0o700); // allows its removal
    expect([modeOf(parent), modeOf(copy)]).toEqual([0o700, 0o700]);
    expect(modesIn(copy)).toEqual([0o600]);
  });

  it("exclude other users during the backup", async () => {
    const path = temporaryCopy(fixturePath("core-0.10/tables", "db"));
    chmodSync(path, 0o755);
    const folder = temporaryFolder();
    const seen = new Set<number>();
    const look = () => {
      const [made] = readdirSync(folder) as [string];
      for (const mode of [modeOf(join(folder, made)), ...modesIn(join(folder, made))]) seen.add(mode & 0o077);
    };
    await backupDatabase(path, join(folder, "copy"), { onProgress: look });
    expect([...seen]).toEqual([0]);
  });
});

describe("a target", () => {
  cleanUpAfterEach();
  const path = fixturePath("core-0.10/node-b", "db");

  it("that is in use does not change", async () => {
    const folder = temporaryFolder();
    cpSync(fixturePath("core-0.10/tables", "db"), join(folder, "db"), { recursive: true });
    mkdirSync(join(folder, "used"));
    writeFileSync(join(folder, "used", "notes"), "text");
    for (const [target, code] of [
      ["db", "DATABASE_EXISTS"],
      ["used", "NOT_A_DATABASE"],
      ["used/notes", "NOT_A_DATABASE"],
      ["used/notes/below", "NOT_A_DATABASE"],
    ] as const) {
      await rejection(backupDatabase(path, join(folder, target)), code);
    }
    expect(readdirSync(folder).sort()).toEqual(["db", "used"]);
    expect(filesOf(join(folder, "used"))).toEqual({ notes: "text" });
    expect(await rowsAt(join(folder, "db"))).toHaveLength(507);
  });

  it("within a database is refused, also through links and missing folders", async () => {
    const database = temporaryCopy(path);
    const other = temporaryCopy(fixturePath("core-0.10/tables", "db"));
    const folder = temporaryFolder();
    symlinkSync(database, join(folder, "link"));
    symlinkSync(other, join(folder, "other"));
    mkdirSync(join(database, "sub"));
    symlinkSync(join(database, "sub"), join(folder, "sub"));
    const [before, otherBefore] = [readdirSync(database), filesOf(other)];
    for (const target of ["link/copy", "link/not/yet/there", "sub", "sub/copy", "other/copy"]) {
      for (const source of [database, join(folder, "link")])
        await expect(backupDatabase(source, join(folder, target)), target).rejects.toThrow(
          expect.objectContaining({
            code: "INVALID_ARGUMENT",
            message: expect.stringMatching(/lies within the database /),
          }),
        );
    }
    expect(readdirSync(database)).toEqual(before);
    expect(filesOf(other)).toEqual(otherBefore);
    expect(readdirSync(folder).sort()).toEqual(["link", "other", "sub"]);
    // A link that leads out of a database does not count as one of its folders.
    symlinkSync(folder, join(database, "out"));
    await backupDatabase(database, join(database, "out", "copy"));
    expect(await rowsAt(join(folder, "copy"))).toHaveLength(371);
  });

  it("that cannot be created is named", async () => {
    await rejection(backupDatabase(path, "/sys/merostore/copy"), "PERMISSION_DENIED", "/sys/merostore");
  });
});

it("of a folder without a database is refused", async () => {
  const folder = temporaryFolder();
  await expect(backupDatabase(join(folder, "none"), join(folder, "copy"))).rejects.toThrow(
    /the folder .* does not exist/,
  );
  await expect(backupDatabase(folder, join(folder, "copy"))).rejects.toThrow(/no RocksDB database/);
  expect(readdirSync(folder)).toEqual([]);
  removeTemporary();
});

describe("beside a writer that flushes and compacts", () => {
  const BACKUPS = 50;
  let folder: string;
  let writer: Writer;

  beforeAll(async () => {
    folder = temporaryFolder();
    writer = await Writer.start(join(folder, "db"));
  });

  afterAll(async () => {
    await writer.stop();
    removeTemporary();
  });

  it(`${BACKUPS} backups each show a prefix of its batches, all acknowledged ones at least`, async () => {
    let before = 0;
    const seen = new Set<string>();
    for (let number = 0; number < BACKUPS; number++) {
      await new Promise(setImmediate); // lets the writer's numbers come in
      const least = writer.acknowledged;
      const copy = join(folder, `copy-${number}`);
      expect(await backupDatabase(writer.path, copy)).toMatchObject({ warnings: [] });
      // Every fifth copy is opened by RocksDB for writing: no file in it is torn.
      await using engine = await (number % 5 === 0
        ? openRocksEngine(copy, { writable: true })
        : openEngine(copy));
      expect(engine.warnings).toEqual([]);
      const batches = await batchesIn(engine);
      expect(batches).toBeGreaterThanOrEqual(Math.max(least, before));
      before = batches;
      for (const name of tablesOf(copy)) seen.add(name);
    }
    expect(seen.size).toBeGreaterThan(5); // the writer did flush and compact meanwhile
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
    writer.expectWell();
  });
});

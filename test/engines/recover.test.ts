/** The report of a recovery about logs, MANIFESTs and files that cannot be read. */
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderFiles } from "../../src/disk/folder.js";
import {
  type EngineOptions,
  openEngine,
  type RecoveryFinding,
  recoverDatabase,
} from "../../src/engines/index.js";
import { MerostoreError } from "../../src/errors.js";
import { readLog } from "../../src/lsm/format/log-records.js";
import type { FileSet } from "../../src/lsm/source.js";
import { flipBit, logsOf } from "../support/files.js";
import { fixturePath } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";
import { subjects } from "./files/damage/databases.js";
import { recovered } from "./recovered.js";
import { cleanUpAfterEach, fixture, temporaryCopy, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

const FIRST = "000004.log";
const SECOND = "000008.log";

/** Family b has rows in two logs and no tables; the tables of family a have its rows of the first log. */
async function twoLogs(): Promise<string> {
  const subject = subjects(fixturePath()).find(({ name }) => name === "two logs");
  if (subject === undefined) throw new Error("there is no such database");
  return subject.make(temporaryFolder());
}

const findings = async (path: string) => (await recovered(folderFiles(path))).findings;
const losses = async (path: string) => (await recovered(folderFiles(path))).lost;

function recordsOf(path: string, name: string): readonly { readonly offset: number }[] {
  return readLog(new Uint8Array(readFileSync(join(path, name)))).records;
}

describe("a recovery of a database with two logs", () => {
  it("finds nothing where nothing is damaged, also in space that was reserved", async () => {
    const path = await twoLogs();
    expect(await findings(path)).toEqual([]);
    appendFileSync(join(path, SECOND), new Uint8Array(100_000));
    expect(await findings(path)).toEqual([]);
  });

  it("reports that the newer one is missing", async () => {
    const path = await twoLogs();
    rmSync(join(path, SECOND));
    expect(await losses(path)).toMatchObject([
      { file: "MANIFEST-000005", message: expect.stringContaining("a write-ahead log is missing") },
    ]);
  });

  it("reports that the older one is empty", async () => {
    const path = await twoLogs();
    truncateSync(join(path, FIRST), 0);
    expect(await losses(path)).toMatchObject([
      { file: FIRST, message: `the log is empty, and ${SECOND} after it is not` },
    ]);
  });

  it("reports no loss where a log of RocksDB is empty, and merostore wrote after it", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    const [empty] = logsOf(path) as [string];
    const put = async (options: EngineOptions) => {
      await using engine = await openEngine(path, options);
      await engine.write([{ type: "put", column: "Meta", key: new Uint8Array(1), value: new Uint8Array(1) }]);
    };
    await put({ writable: true });
    await put({ writable: true });
    expect(await findings(path)).toMatchObject([
      {
        file: empty,
        lost: false,
        message: expect.stringMatching(/^the log is empty, and \d+\.log after it is not$/),
      },
    ]);
  });

  it("reports nothing of a database that merostore created", async () => {
    const path = join(temporaryFolder(), "new");
    await using engine = await openEngine(path, { create: true, columns: ["a"] });
    await engine.write([{ type: "put", column: "a", key: new Uint8Array(1), value: new Uint8Array(1) }]);
    expect(await findings(path)).toEqual([]);
  });

  it("reports that the older one ends too early, even between two records", async () => {
    const path = await twoLogs();
    truncateSync(join(path, FIRST), recordsOf(path, FIRST).at(-2)?.offset);
    expect(await losses(path)).toMatchObject([
      {
        file: FIRST,
        message: expect.stringMatching(/^writes are missing between its end and the beginning/),
      },
    ]);
  });

  it("reports no loss where the last write is incomplete", async () => {
    const path = await twoLogs();
    const offset = recordsOf(path, SECOND).at(-1)?.offset as number;
    truncateSync(join(path, SECOND), offset + 20);
    expect(await findings(path)).toMatchObject([
      { file: SECOND, offset, bytes: 20, lost: false, message: expect.stringContaining("is incomplete") },
    ]);
  });

  it("reports a loss where the last write is damaged", async () => {
    const path = await twoLogs();
    const offset = recordsOf(path, SECOND).at(-1)?.offset as number;
    flipBit(join(path, SECOND), offset + 20);
    const bytes = statSync(join(path, SECOND)).size - offset;
    expect(await findings(path)).toMatchObject([{ file: SECOND, offset, bytes, lost: true }]);
  });

  it("says once where it puts rows without a family, and that logs may be obsolete", async () => {
    const path = await twoLogs();
    for (const name of ["CURRENT", "MANIFEST-000005", "OPTIONS-000007"]) rmSync(join(path, name));
    const found = await findings(path);
    expect(found.filter(({ lost }) => lost)).toEqual([]);
    const about = (text: string) =>
      found.filter(({ message }) => message.includes(text)).map(({ file }) => file);
    expect(about("the name of the column family 2")).toEqual([FIRST]);
    expect(about("without a whole MANIFEST")).toEqual([FIRST, SECOND]);
  });

  it("takes the names of families from an older MANIFEST", async () => {
    const path = await twoLogs();
    renameSync(join(path, "MANIFEST-000005"), join(path, "MANIFEST-000003"));
    writeFileSync(join(path, "MANIFEST-000005"), "");
    rmSync(join(path, "OPTIONS-000007"));
    const { columns, misplaced } = await recoverDatabase(path, join(temporaryFolder(), "new"));
    expect(columns.map(({ column, name }) => [column, name])).toEqual(
      expect.arrayContaining([
        ["a", "file"],
        ["b", "file"],
      ]),
    );
    expect(misplaced).toBe(0);
  });

  it("counts rows under an unknown name", async () => {
    const path = await twoLogs();
    for (const name of ["CURRENT", "MANIFEST-000005", "OPTIONS-000007"]) rmSync(join(path, name));
    const { columns, misplaced } = await recoverDatabase(path, join(temporaryFolder(), "new"));
    const unknown = columns.filter(({ name }) => name === "none");
    expect(unknown.map(({ column }) => column)).toEqual(["unknown-2"]);
    expect(unknown[0]?.rows).toBeGreaterThan(0);
    expect(misplaced).toBe(unknown[0]?.rows);
  });

  it("does not take a MANIFEST with a zeroed sector for a whole one", async () => {
    const path = await twoLogs();
    const file = join(path, "MANIFEST-000005");
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, 512 * Math.floor((bytes.length - 1) / 512)));
    const found = await findings(path);
    expect(found.map(({ file }) => file)).toContain("MANIFEST-000005");
    expect(found.map(({ message }) => message).join()).toContain("without a whole MANIFEST");
  });
});

describe("a recovery", () => {
  /** The files of a folder; the system refuses to open some of them. */
  const refusing = (path: string, refused: RegExp, code: string): FileSet => {
    const files = folderFiles(path);
    return {
      ...{ name: files.name, where: (name) => files.where(name), list: () => files.list() },
      open: (name) => {
        if (!refused.test(name)) return files.open(name);
        const cause = Object.assign(new Error(`${code}: read`), { code });
        throw new MerostoreError("ENGINE_FAILED", `${name} cannot be read`, { cause });
      },
    };
  };

  it.each([/\.sst$/, /^000008\.log$/, /^MANIFEST/, /^CURRENT$/, /^OPTIONS/])(
    "takes what the disk cannot read for damage, and fails where it may not read: %s",
    async (refused) => {
      const path = await twoLogs();
      expect((await recovered(refusing(path, refused, "EIO"))).findings).not.toEqual([]);
      await rejection(recovered(refusing(path, refused, "EACCES")), "ENGINE_FAILED");
    },
  );

  it("names two tables of one size that changed places, which a reader refuses as RocksDB does", async () => {
    const path = temporaryCopy(fixture("core-0.11/tables"));
    const [one, other] = ["000024.sst", "000025.sst"] as const;
    renameSync(join(path, one), join(path, "saved"));
    renameSync(join(path, other), join(path, one));
    renameSync(join(path, "saved"), join(path, other));
    expect((await losses(path)).map(({ file, column }) => [file, column])).toEqual([
      [one, "ContextExecutingBlob"],
      [other, "ContextActivatedBlob"],
    ]);
    await using engine = await openEngine(path);
    await expect(engine.scan("ContextExecutingBlob").toArray()).rejects.toThrow(
      "it is another table than the one that the MANIFEST names",
    );
  });

  it("names an obsolete log that may have the rows of missing tables", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a-live"));
    for (const name of ["CURRENT", "MANIFEST-000009"])
      copyFileSync(join(fixture("core-0.11/node-a"), name), join(path, name));
    expect(await findings(path)).toContainEqual(
      expect.objectContaining({
        file: "000008.log",
        lost: false,
        message: expect.stringContaining("it may have rows of the missing tables"),
      }),
    );
  });

  it("reports a table that has the content of another as lost", async () => {
    const path = temporaryCopy(fixture("core-0.11/log-and-tables"));
    copyFileSync(join(path, "000019.sst"), join(path, "000048.sst"));
    const other = {
      file: "000048.sst",
      column: "SortedIndex",
      bytes: 2036,
      firstKey: expect.stringMatching(/^52d9afd9/),
      message: expect.stringContaining("the file is another table"),
    };
    expect(await losses(path)).toMatchObject([other]);
    appendFileSync(join(path, "000048.sst"), new Uint8Array(50)); // bytes follow the footer
    expect(await losses(path)).toMatchObject([other]);
  });

  it("reads nothing where the new database cannot be created", async () => {
    const path = await twoLogs();
    rmSync(join(path, SECOND));
    const found: RecoveryFinding[] = [];
    const target = await twoLogs();
    const recovery = recoverDatabase(path, target, { onFinding: (finding) => found.push(finding) });
    await rejection(recovery, "DATABASE_EXISTS");
    expect(found).toEqual([]);
  });

  it("waits for the receiver of the findings, and fails with its error", async () => {
    const path = await twoLogs();
    rmSync(join(path, SECOND));
    const onFinding = async () => {
      throw new Error("the disk is full");
    };
    await expect(recoverDatabase(path, join(temporaryFolder(), "new"), { onFinding })).rejects.toThrow(
      "the disk is full",
    );
  });
});

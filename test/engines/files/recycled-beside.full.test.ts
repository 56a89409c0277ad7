/** Reading beside a writer that takes the file of an old log for a new one, in the middle of a read. */
import {
  closeSync,
  cpSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { backupDatabase, openFilesEngine, openRocksEngine } from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import type { FileSource } from "../../../src/lsm/source.js";
import { logsOf } from "../../support/files.js";
import { rejection } from "../../support/rejection.js";
import { rowsAt } from "../../support/transfer.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";
import { changesOf } from "./changed-rows.js";
import { MemoryFiles } from "./memory-files.js";
import { toRecyclable } from "./recyclable.js";

/** Called once, before the next read of a log. */
let beforeRead: (() => void) | undefined;

function watched(source: FileSource): FileSource {
  return {
    size: source.size,
    sizeNow: () => source.sizeNow?.() ?? source.size,
    read: (offset, target) => {
      const work = beforeRead;
      beforeRead = undefined;
      work?.();
      return source.read(offset, target);
    },
    close: () => source.close(),
  };
}

vi.mock("../../../src/disk/folder.js", async (original) => {
  const module = await original<typeof import("../../../src/disk/folder.js")>();
  return {
    ...module,
    folderFiles: (path: string) => {
      const files = module.folderFiles(path);
      const open = files.open.bind(files);
      files.open = (name) => {
        const source = open(name) as FileSource | undefined;
        return source !== undefined && name.endsWith(".log") ? watched(source) : source;
      };
      return files;
    },
  };
});

cleanUpAfterEach();
afterEach(() => {
  beforeRead = undefined;
});

const text = (value: string) => new TextEncoder().encode(value);
const put = (column: string, at: number) =>
  ({ type: "put", column, key: text(`${column}${at}`), value: text("x".repeat(100)) }) as const;

/** A database with rows in its log alone, and the same after the writer has flushed them and gone on. */
async function twoMoments() {
  const folder = temporaryFolder();
  const [path, after] = [join(folder, "db"), join(folder, "after")];
  {
    await using writer = await openRocksEngine(join(folder, "writer"), { create: true, columns: ["a", "b"] });
    for (let at = 0; at < 50; at++) await writer.write([put("a", at), put("b", at)]);
    cpSync(join(folder, "writer"), path, { recursive: true });
    await writer.flush();
    await writer.write([put("a", 50), put("b", 50)]);
    cpSync(join(folder, "writer"), after, { recursive: true });
  }
  const [log] = logsOf(path) as [string];
  const next = logsOf(after).at(-1) as string;
  for (const [place, name] of [
    [path, log],
    [after, next],
  ] as const) {
    const file = join(place, name);
    writeFileSync(file, toRecyclable(readFileSync(file), Number.parseInt(name, 10)));
  }
  /** Puts the files of the later moment into the folder, all but the logs. */
  const flush = (): void => {
    for (const name of readdirSync(path)) if (!name.endsWith(".log")) rmSync(join(path, name));
    for (const name of readdirSync(after))
      if (!name.endsWith(".log")) cpSync(join(after, name), join(path, name));
  };
  /** Renames the log to the next one, and writes the next one's records over its beginning. */
  const recycle = (shorten: boolean): void => {
    renameSync(join(path, log), join(path, next));
    const file = openSync(join(path, next), "r+");
    const bytes = readFileSync(join(after, next));
    writeSync(file, bytes, 0, bytes.length, 0);
    if (shorten) ftruncateSync(file, bytes.length);
    closeSync(file);
  };
  const moments: Readonly<Record<string, () => void>> = {
    "is recycled": () => {
      flush();
      recycle(false);
    },
    "is recycled and shortened": () => {
      flush();
      recycle(true);
    },
    "is shortened, and recycled a moment later": () => {
      truncateSync(join(path, log), 3000);
      beforeRead = () => {
        flush();
        recycle(false);
      };
    },
  };
  return { path, after, moments, copy: join(folder, "copy") };
}

describe("a log that, while it is read,", () => {
  const names = ["is recycled", "is recycled and shortened", "is shortened, and recycled a moment later"];

  it.each(names)("%s: an opening shows all rows of one moment", async (name) => {
    const { path, after, moments } = await twoMoments();
    beforeRead = moments[name];
    await using engine = await openFilesEngine(path);
    expect(engine.warnings).toEqual([]);
    expect(await engine.get("a", text("a50"))).toEqual(put("a", 50).value);
    expect(await rowsAt(path)).toEqual(await rowsAt(after));
  });

  it.each(names)("%s: a backup has all rows of one moment", async (name) => {
    const { path, after, moments, copy } = await twoMoments();
    beforeRead = moments[name];
    expect(await backupDatabase(path, copy)).toMatchObject({ warnings: [], logs: 1 });
    expect(await rowsAt(copy)).toEqual(await rowsAt(after));
    expect(logsOf(copy)).toHaveLength(1);
  });

  it.each(names)("%s: changes continue, or are reported as lost", async (name) => {
    const { path, moments } = await twoMoments();
    await using engine = await openFilesEngine(path);
    beforeRead = moments[name];
    let since = 0;
    try {
      for (let pass = 0; pass < 3; pass++)
        for (const batch of await changesOf(engine, since)) {
          expect(batch.operations).toHaveLength(2);
          since = batch.sequence;
        }
      expect(since).toBe(102);
    } catch (error) {
      expect(isMerostoreError(error, "CHANGES_LOST") ? undefined : error).toBeUndefined();
    }
  });
});

it("a database that changes at every look is not called damaged", async () => {
  const files = new Map([["CURRENT", text("no name")]]);
  const changing = new MemoryFiles(files, true);
  await rejection(openFiles(changing), "DATABASE_DAMAGED");
  changing.list = () => {
    files.set("000004.log", new Uint8Array((files.get("000004.log")?.length ?? 0) + 1));
    return [...files.keys()];
  };
  await rejection(openFiles(changing), "ENGINE_FAILED", /again and again.*: try again$/);
});

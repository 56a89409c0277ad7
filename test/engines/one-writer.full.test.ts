/** A process has a database open for writing once, whatever its path is called. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine, WriteOperation } from "../../src/engine/engine.js";
import { openEngine, openFilesEngine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { rejection } from "../support/rejection.js";
import { bytes } from "./rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

const engines = {
  rocksdb: {
    create: (path: string) => openRocksEngine(path, { create: true, columns: [] }),
    open: (path: string) => openRocksEngine(path, { writable: true }),
  },
  leveldb: {
    create: (path: string) => openLevelEngine(path, { create: true }),
    open: (path: string) => openLevelEngine(path, { writable: true }),
  },
  files: {
    create: (path: string) => openFilesEngine(path, { create: true, columns: [], nodeIsStopped: true }),
    open: (path: string) => openFilesEngine(path, { writable: true, nodeIsStopped: true }),
  },
};

const put = (number: number): WriteOperation => ({
  type: "put",
  column: "default",
  key: bytes(number),
  value: bytes(number),
});

/** Other names of a folder. */
function namesOf(path: string): Readonly<Record<string, string>> {
  const links = temporaryFolder();
  symlinkSync(path, join(links, "link"));
  symlinkSync(dirname(path), join(links, "parent"));
  return {
    "the same": path,
    relative: relative(process.cwd(), path),
    "with a slash at the end": `${path}/`,
    "with a dot at the end": `${path}/.`,
    "by its parent": `${dirname(path)}/../${basename(dirname(path))}/${basename(path)}`,
    "a link": join(links, "link"),
    "by a link to the parent": join(links, "parent", basename(path)),
  };
}

/** The answer of the engine in another process: `opened`, or the code of the error. */
function openElsewhere(open: string, path: string): string {
  const program = `
    import { ${open} } from "./dist/engines/${open === "openLevelEngine" ? "level/" : ""}index.js";
    await ${open}(process.argv[1], { writable: true ${open === "openFilesEngine" ? ", nodeIsStopped: true" : ""} }).then(
      () => console.log("opened"), (error) => console.log(error.code));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program, path], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  return stdout.trim();
}

for (const [name, { create, open }] of Object.entries(engines)) {
  describe(`a database of ${name} that this process has open for writing`, () => {
    const opener = { rocksdb: "openRocksEngine", leveldb: "openLevelEngine", files: "openFilesEngine" }[
      name
    ] as string;

    it("is refused under every name, and keeps every write and its lock", async () => {
      const path = join(temporaryFolder(), "db");
      const writer = await create(path);
      for (const [how, other] of Object.entries(namesOf(path))) {
        await writer.write([put(1)], { sync: true });
        const { message } = await rejection(open(other), "DATABASE_LOCKED");
        expect(message, how).toContain(other);
      }
      expect(openElsewhere(opener, path)).toBe("DATABASE_LOCKED");
      await writer.write([put(2)], { sync: true });
      await writer.close();
      await using again = await open(path);
      expect(await again.getMany("default", [bytes(1), bytes(2)])).toEqual([bytes(1), bytes(2)]);
    });

    it("is refused however it was opened first, and opens under any name when it is closed", async () => {
      const path = join(temporaryFolder(), "db");
      await (await create(path)).close();
      for (const first of Object.values(namesOf(path))) {
        const writer = await open(first);
        await rejection(open(path), "DATABASE_LOCKED");
        await writer.close();
      }
    });

    it("is refused while the first opening, or creation, is under way", async () => {
      const path = join(temporaryFolder(), "db");
      mkdirSync(path); // the links need a target
      const names = Object.values(namesOf(path));
      const opened = await Promise.allSettled(names.map((other) => create(other)));
      const writers = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      expect(writers).toHaveLength(1);
      await closeAll(writers);
      const again = await Promise.allSettled(names.map((other) => open(other)));
      const codes = again.map((one) => (one.status === "rejected" ? one.reason.code : "opened"));
      expect(codes.sort()).toEqual([...names.slice(1).map(() => "DATABASE_LOCKED"), "opened"]);
      await closeAll(again.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    });

    it("is refused after it was renamed", async () => {
      const path = join(temporaryFolder(), "db");
      const writer = await create(path);
      renameSync(path, `${path}-2`);
      await rejection(open(`${path}-2`), "DATABASE_LOCKED");
      renameSync(`${path}-2`, path);
      await writer.close();
      await (await open(path)).close();
    });

    it("does not lock a folder that comes after it, although the system uses numbers again", async () => {
      const parent = temporaryFolder();
      const writer = await create(join(parent, "db"));
      rmSync(join(parent, "db"), { recursive: true });
      for (let at = 0; at < 20; at++) await (await create(join(parent, `db-${at}`))).close();
      await writer.close().catch(() => undefined);
    });

    it("opens after an opening that failed", async () => {
      const path = join(temporaryFolder(), "db");
      await (await create(path)).close();
      const manifest = readdirSync(path).find((file) => file.startsWith("MANIFEST-")) as string;
      renameSync(join(path, manifest), join(path, "away"));
      await rejection(open(path), "DATABASE_DAMAGED");
      renameSync(join(path, "away"), join(path, manifest));
      await (await open(path)).close();
    });

    it("is refused behind a bind mount", async ({ skip }) => {
      const path = join(temporaryFolder(), "db");
      const point = temporaryFolder();
      await using writer = await create(path);
      await writer.write([put(1)]);
      if (spawnSync("mount", ["--bind", path, point]).status !== 0) skip("only root may mount folders");
      try {
        await rejection(open(point), "DATABASE_LOCKED");
      } finally {
        spawnSync("umount", [point]);
      }
    });
  });
}

describe("another engine", () => {
  it("is refused too: RocksDB opens databases of LevelDB", async () => {
    const path = join(temporaryFolder(), "db");
    const writer = await engines.leveldb.create(path);
    await rejection(openRocksEngine(`${path}/.`, { writable: true }), "DATABASE_LOCKED");
    await writer.close();
  });

  it("reads beside the writer, under any name", async () => {
    const path = join(temporaryFolder(), "db");
    await using writer = await engines.rocksdb.create(path);
    await writer.write([put(1)]);
    for (const other of Object.values(namesOf(path))) {
      for (const engine of ["files", "rocksdb"] as const) {
        await using reader = await openEngine(other, { engine });
        expect(await reader.get("default", bytes(1))).toEqual(bytes(1));
      }
    }
    await writer.write([put(2)]);
  });
});

async function closeAll(opened: readonly Engine[]): Promise<void> {
  for (const engine of opened) await engine.close();
}

/** merostore tells leftovers of killed processes from files that others are making, and from foreign files. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeUnfinished, unfinishedName } from "../../../src/disk/unfinished.js";
import { backupDatabase } from "../../../src/engines/index.js";
import { backupNode } from "../../../src/transfer/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";

cleanUpAfterEach();

/** The name with the place, the process or its start replaced. */
function changed(
  name: string,
  { place, pid, start }: { place?: string; pid?: number; start?: string },
): string {
  const parts = name.split("-");
  if (place !== undefined) parts[1] = place;
  if (pid !== undefined) parts[2] = pid.toString(36);
  if (start !== undefined) parts[3] = start;
  return parts.join("-");
}

/** The id of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

function makeDatabase(path: string): void {
  mkdirSync(path);
  for (const name of ["CURRENT", "LOCK", "LOG", "000004.log", "MANIFEST-000005"])
    writeFileSync(join(path, name), "x");
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

describe("leftovers of a process", () => {
  it("is removed when the process has ended, and stays while it runs", async () => {
    const folder = temporaryFolder();
    const running = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(running, "spawn");
    const stays = [
      unfinishedName("db", "importing"), // of this process
      changed(unfinishedName("db", "backup"), { pid: running.pid as number, start: "0" }),
    ];
    const goes = [
      changed(unfinishedName("db", "importing"), { pid: endedProcess() }),
      changed(unfinishedName("db", "backup"), { pid: endedProcess() }),
    ];
    for (const name of [...stays, ...goes]) makeDatabase(join(folder, name));
    const file = changed(unfinishedName("db", "writing"), { pid: endedProcess() });
    writeFileSync(join(folder, file), "text");
    await removeUnfinished(folder);
    expect(readdirSync(folder).sort()).toEqual([...stays].sort());
    running.kill();
  });

  it("is removed with the folders and blobs of a node's home, unless somebody else's file is among them", async () => {
    const folder = temporaryFolder();
    const [goes, stays] = [1, 2].map(() =>
      changed(unfinishedName("home", "backup"), { pid: endedProcess() }),
    );
    for (const name of [goes, stays].map((each) => join(folder, each as string))) {
      mkdirSync(join(name, "far", "blobs"), { recursive: true });
      makeDatabase(join(name, "data"));
      writeFileSync(join(name, "config.toml"), "x");
      writeFileSync(join(name, "far", "blobs", "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi5"), "x");
    }
    writeFileSync(join(folder, stays as string, "far", "letter.txt"), "x");
    await removeUnfinished(folder);
    expect(readdirSync(folder)).toEqual([stays]);
  });

  it("is removed at whichever moment a backup of a database or of a home was killed", async () => {
    const folder = temporaryFolder();
    const home = join(folder, "home");
    cpSync(fixturePath("core-0.11/node-a", "db"), join(home, "data"), { recursive: true });
    mkdirSync(join(home, "blobs"));
    writeFileSync(join(home, "config.toml"), "");
    const contents = new Set<string>();
    const kill = (): void => {
      const [name] = readdirSync(folder).filter((one) => one.startsWith(".copy.backup-")) as [string];
      const content = readdirSync(join(folder, name), { recursive: true }).join();
      if (contents.has(content)) return;
      contents.add(content);
      const killed = changed(unfinishedName("copy", "backup"), { pid: ended });
      cpSync(join(folder, name), join(folder, "killed", killed), { recursive: true });
    };
    const ended = endedProcess();
    const config = join(home, "config.toml");
    await backupDatabase(join(home, "data"), join(folder, "copy"), { onProgress: kill });
    rmSync(join(folder, "copy"), { recursive: true });
    const nodeHome = {
      path: home,
      config,
      data: join(home, "data"),
      blobs: join(home, "blobs"),
      encrypts: false,
    };
    await backupNode(nodeHome, join(folder, "copy"), { onProgress: kill });
    const all = readdirSync(join(folder, "killed"));
    expect([...contents].filter((names) => names.includes("merostore-files.json")).length).toBeGreaterThan(1);
    expect(all.length).toBe(contents.size);
    await removeUnfinished(join(folder, "killed"));
    expect(readdirSync(join(folder, "killed"))).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "is removed when the system gave its number to another process",
    async () => {
      const folder = temporaryFolder();
      makeDatabase(join(folder, changed(unfinishedName("db", "importing"), { start: "1" })));
      await removeUnfinished(folder);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it("in another container, or before the system started again, is removed once nobody wrote for a day", async () => {
    const folder = temporaryFolder();
    const name = () => changed(unfinishedName("db", "importing"), { place: "00000000" });
    const [old, recent] = [name(), name()];
    for (const path of [old, recent].map((each) => join(folder, each))) {
      makeDatabase(path);
      for (const file of readdirSync(path)) utimesSync(join(path, file), hoursAgo(25), hoursAgo(25));
      utimesSync(path, hoursAgo(25), hoursAgo(25));
    }
    utimesSync(join(folder, recent, "000004.log"), hoursAgo(23), hoursAgo(23));
    await removeUnfinished(folder);
    expect(readdirSync(folder)).toEqual([recent]);
  });

  it("is removed by a backup of another name", async () => {
    const folder = temporaryFolder();
    for (const name of ["monday", "monday.x"])
      makeDatabase(join(folder, changed(unfinishedName(name, "backup"), { pid: endedProcess() })));
    await backupDatabase(fixturePath("core-0.11/node-a", "db"), join(folder, "tuesday"));
    expect(readdirSync(folder)).toEqual(["tuesday"]);
  });
});

describe("other files are kept", () => {
  it("by name, kind or content", async () => {
    const folder = temporaryFolder();
    const left = () => changed(unfinishedName("db", "importing"), { pid: endedProcess() });
    const [withNotes, withFolder, file, link] = [left(), left(), left(), left()] as [
      string,
      string,
      string,
      string,
    ];
    makeDatabase(join(folder, withNotes));
    writeFileSync(join(folder, withNotes, "notes.txt"), "mine");
    makeDatabase(join(folder, withFolder));
    mkdirSync(join(folder, withFolder, "000009.sst"));
    writeFileSync(join(folder, file), "text");
    makeDatabase(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(folder, link));
    makeDatabase(join(folder, ".db.importing-old"));
    makeDatabase(join(folder, ".db.importing-0a1b2c3d"));
    const before = readdirSync(folder).sort();
    await removeUnfinished(folder);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readdirSync(join(folder, "elsewhere"))).toHaveLength(5);
  });
});

it("a folder that is not there has nothing to remove", async () => {
  await removeUnfinished(join(temporaryFolder(), "none"));
});

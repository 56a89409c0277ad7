/** The compiled code, which Node 20 does not cache by itself: a file beside the program has it. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

describe.skipIf("enableCompileCache" in nodeModule)("the compiled program", () => {
  let place: ReturnType<typeof temporaryFolder>;
  let folder: string;
  let cache: string;

  beforeAll(() => {
    place = temporaryFolder();
    folder = join(place.path, "dist/cli");
    cache = join(folder, "program.cjs.cache");
    cpSync(join(root, "package.json"), join(place.path, "package.json"));
    for (const name of ["merostore.js", "program.cjs"])
      cpSync(join(root, "dist/cli", name), join(folder, name));
  });
  afterAll(() => place[Symbol.dispose]());
  beforeEach(() => rmSync(cache, { recursive: true, force: true }));

  function start(word = "help"): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "merostore.js"), word], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(word === "help" ? "merostore help commands" : version);
    expect(readdirSync(folder).filter((name) => /\.\d+$/.test(name))).toEqual([]);
  }

  it("is not needed for the version", () => {
    for (const word of ["--version", "-V"]) start(word);
    expect(existsSync(cache)).toBe(false);
  });

  it("is kept by the first start and used by the next", () => {
    start();
    const { mtimeMs, ino, size } = statSync(cache);
    expect(size).toBeGreaterThan(100_000);
    start();
    expect(statSync(cache)).toMatchObject({ mtimeMs, ino });
  });

  it("is replaced if it is damaged or belongs to another program or release of Node", () => {
    start();
    const good = readFileSync(cache);
    const code = good.indexOf("\n") + 1;
    const ofOther = Buffer.from(good);
    ofOther[0] = (ofOther[0] as number) ^ 1;
    const damaged = Buffer.from(good);
    damaged.fill(0xff, code, code + 32);
    // V8 accepts the code of a release that has the same V8.
    const ofRelease = Buffer.from(good).fill(0, code + 64);
    ofRelease.write(
      process.version.slice(1).replace(/\d+$/, (last) => "9".repeat(last.length)),
      good.indexOf(process.version.slice(1)),
    );
    for (const bad of [ofOther, damaged, ofRelease, good.subarray(0, 40), Buffer.alloc(0)]) {
      writeFileSync(cache, bad);
      const { ino } = statSync(cache);
      start();
      expect(statSync(cache).ino).not.toBe(ino);
      expect(statSync(cache).size).toBeGreaterThan(100_000);
    }
  });

  it("is done without where it cannot be written", () => {
    mkdirSync(join(cache, "folder"), { recursive: true });
    start();
    expect(readdirSync(cache)).toEqual(["folder"]);
  });
});

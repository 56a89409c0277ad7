/** Folders of version 1, with a file for each commit and each piece, become folders of packs. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { contents } from "../support.js";
import { allStates, FolderDevices, killAfter } from "./folder-devices.js";

const OLD = JSON.parse(readFileSync(new URL("old-folders.json", import.meta.url), "utf8")) as Record<
  "plain" | "encrypted",
  Record<string, string>
>;

const devices = new FolderDevices();

afterEach(async () => {
  vi.restoreAllMocks();
  await devices.remove();
});

/** Writes the files of an old folder. Returns their paths. */
function writeOld(kind: keyof typeof OLD): string[] {
  for (const [name, content] of Object.entries(OLD[kind])) {
    mkdirSync(dirname(join(devices.path, name)), { recursive: true });
    writeFileSync(join(devices.path, name), Buffer.from(content, "base64"));
  }
  return Object.keys(OLD[kind]).filter((name) => name.includes("/"));
}

describe.each([
  ["plain", {}],
  ["encrypted", { key: "5f".repeat(32) }],
] as const)("an old folder that is %s", (kind, options) => {
  it("is read and converted by the first device, with its whole history", async () => {
    writeOld(kind);
    const one = await devices.add(1, options);
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
    expect(await contents(one.page)).toEqual({
      a: "1",
      b: expect.stringMatching(/^(b ){50}$/),
      long: expect.stringMatching(/^0 1 2 .* 997 998 999 ?$/),
    });
    expect(devices.files("/commits/")).toEqual([]);
    expect(devices.files("/pieces/")).toEqual([]);
    expect(devices.files("/packs/").length).toBeLessThanOrEqual(9);
    expect(JSON.parse(readFileSync(join(devices.path, "merostore-ledger.json"), "utf8"))).toMatchObject({
      version: 2,
    });
    const two = await devices.add(2, options);
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(await allStates(two.page)).toEqual(await allStates(one.page));
  });

  it("keeps every file until a pack with its content was read back, wherever the device is killed", async () => {
    const wanted = await states(kind, options);
    for (let steps = 0; ; steps++) {
      rmSync(devices.path, { recursive: true });
      mkdirSync(devices.path);
      writeOld(kind);
      const killed = killAfter(steps);
      const one = await devices.add(1, options);
      await one.cloud.sync().catch(() => undefined);
      await one.ledger.close();
      vi.restoreAllMocks();
      const two = await devices.add(2, options);
      expect(await two.cloud.sync()).toEqual({ waiting: 0 });
      expect(await allStates(two.page)).toEqual(wanted);
      await two.ledger.close();
      if (!killed()) break;
      expect(steps).toBeLessThan(100);
    }
  });

  it("keeps a file that is damaged, and takes it once it is whole", async () => {
    const wanted = await states(kind, options);
    rmSync(devices.path, { recursive: true });
    mkdirSync(devices.path);
    const name = writeOld(kind).find((path) => path.includes("/commits/")) ?? "";
    const whole = readFileSync(join(devices.path, name));
    writeFileSync(join(devices.path, name), whole.subarray(0, 90));
    const one = await devices.add(1, options);
    await one.cloud.sync();
    expect(devices.files("/commits/")).toEqual([name]);
    writeFileSync(join(devices.path, name), whole);
    expect(await one.cloud.sync()).toEqual({ waiting: 0 });
    expect(devices.files("/commits/")).toEqual([]);
    expect(await allStates(one.page)).toEqual(wanted);
  });
});

it("an old folder is not converted with a wrong key", async () => {
  writeOld("encrypted");
  const before = devices.files();
  const one = await devices.add(1, { key: "7f".repeat(32) });
  await rejection(one.cloud.sync(), "WRONG_KEY");
  expect(devices.files()).toEqual(before);
});

/** The states of an old folder. */
async function states(kind: keyof typeof OLD, options: object): Promise<unknown> {
  writeOld(kind);
  const one = await devices.add(1, options);
  await one.cloud.sync();
  const found = await allStates(one.page);
  await one.ledger.close();
  return found;
}

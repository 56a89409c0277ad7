// Kills of devices that sync through shared folders: two share a network drive, the third has a folder of its own, and a
// program copies files between both, in place and slowly. The drives are full now and then. In the end all devices show the
// same, and nothing that one has acknowledged is missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Random } from "../../../../test/differential/random.mjs";
import { folderCloud, openLedger, verifyPage } from "../../dist/index.js";
import { folderPlace } from "../../dist/places/index.js";
import { copyMissing } from "./folder-copier.mjs";
import { ownAfter } from "./folder-steps.mjs";
import { equal, shownBy } from "./shown.mjs";

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const DEVICES = [0, 1, 2];
/** Lives of each device before all is compared. */
const LIVES = 4;
/** Rounds of syncing after which the devices must agree. */
const ROUNDS = 60;

/**
 * Kills devices so many times, at random moments, and compares them after each few kills. Throws if they differ, if an
 * acknowledged step is missing, or if a page is not sound.
 *
 * @param next gives numbers in [0, 1)
 * @returns what happened, counted
 */
export async function killFolderDevices(folder, kills, next, lives = LIVES) {
  const random = new Random(Math.floor(next() * 2 ** 32));
  const counts = { kills: 0, acknowledged: 0, unacknowledgedButThere: 0, commits: 0, rounds: 0 };
  for (let round = 0; counts.kills < kills; round++) {
    const path = join(folder, `folder-cloud-${round}`);
    const key = round % 2 === 0 ? "5f".repeat(32) : "";
    const shares = ["drive", "drive", "copy"].map((name) => join(path, name));
    const state = join(path, "state");
    for (const made of [...new Set(shares), state]) mkdirSync(made, { recursive: true });
    const known = DEVICES.map(() => 0);
    const copier = start("folder-copier.mjs", [shares[0], shares[2], state, `${random.word()}`]);
    await Promise.all(
      DEVICES.map(async (device) => {
        for (let life = 0; life < lives; life++) {
          const words = [
            join(path, `ledger${device}`),
            `${known[device] + 1}`,
            shares[device],
            key,
            `${device}`,
          ];
          const seed = 1 + random.below(2 ** 31);
          const time = random.word() / 2 ** 32;
          known[device] = await lifeOf(words, seed, time, known[device]);
          counts.kills++;
          if (life + 1 < lives) known[device] = await lastStep(path, device, known[device], counts);
        }
      }),
    );
    await stop(copier);
    counts.commits += await compare(path, shares, key, state, known, random, counts);
    for (const steps of known) counts.acknowledged += steps;
    counts.rounds++;
    rmSync(path, { recursive: true, force: true });
  }
  return counts;
}

function start(name, words) {
  return spawn(process.execPath, [script(name), ...words], { stdio: ["ignore", "pipe", "inherit"] });
}

async function stop(child) {
  if (child.exitCode !== null) throw new Error("the copier has failed");
  child.kill("SIGKILL");
  await once(child, "close");
}

/** Starts a device and kills it after its second step at the earliest. Returns the number of the last step that it acknowledged. */
async function lifeOf(words, seed, time, known) {
  const child = start("folder-device.mjs", [...words, `${seed}`]);
  let seen = "";
  // It prints a line when it has opened, and one for each step.
  const stepped = new Promise((resolve) => {
    child.stdout.setEncoding("latin1").on("data", (text) => {
      seen += text;
      if (seen.split("\n").length > 3) resolve();
    });
  });
  const ended = once(child, "close");
  await Promise.race([stepped, ended]);
  await sleep(time * 400);
  if (child.exitCode !== null) throw new Error(`a device has failed, with status ${child.exitCode}`);
  child.kill("SIGKILL");
  await ended;
  const numbers = seen.slice(0, seen.lastIndexOf("\n") + 1).match(/^\d+$/gm);
  return numbers === null ? known : Number(numbers.at(-1));
}

/** The last step of a device that is on its disk: one more than it has acknowledged, at most. */
async function lastStep(path, device, acknowledged, counts) {
  const ledger = await openLedger(join(path, `ledger${device}`), { name: "folder", history: "keep" });
  try {
    const page = await ledger.rootPage();
    // Without the folder, heads whose common ancestor is not here are not merged. The device's last step is in one of them.
    const states = await Promise.all((await page.heads()).map(({ id }) => shownBy(page.snapshotAt(id))));
    const numberIn = (shown) => Number(shown.get(`device${device}/number`) ?? 0);
    const newest = states.reduce((a, b) => (numberIn(b) > numberIn(a) ? b : a));
    const step = stepShown(device, newest, acknowledged);
    counts.unacknowledgedButThere += step - acknowledged;
    return step;
  } finally {
    await ledger.close();
  }
}

function stepShown(device, shown, acknowledged) {
  const own = new Map([...shown].filter(([key]) => key.startsWith(`device${device}/`)));
  const step = [acknowledged, acknowledged + 1].find((number) => equal(ownAfter(device, number), own));
  if (step !== undefined) return step;
  throw new Error(`after step ${acknowledged}, device ${device} shows neither it nor the next one`);
}

/** Syncs all devices without faults until they agree, and checks what they show. Returns how many commits there are. */
async function compare(path, shares, key, state, known, random, counts) {
  const devices = [];
  for (const device of DEVICES) {
    const cloud = folderCloud(shares[device], { interval: 0, patience: 0, ...(key !== "" && { key }) });
    const ledger = await openLedger(join(path, `ledger${device}`), { name: "folder", cloud });
    devices.push({ cloud, ledger, page: await ledger.rootPage() });
  }
  try {
    for (let round = 0; ; round++) {
      if (round === ROUNDS) throw new Error("the devices do not come to the same state");
      await copyMissing(shares[0], shares[2], state, random);
      const waiting = [];
      for (const { cloud, page } of devices) {
        waiting.push((await cloud.sync().catch(() => ({ waiting: 1 }))).waiting);
        await page.waitForConflictResolution().catch(unlessMissing);
      }
      const heads = await Promise.all(devices.map(({ page }) => headOf(page)));
      if (new Set(heads).size === 1 && waiting.every((count) => count === 0)) break;
    }
    const shown = await Promise.all(devices.map(({ page }) => shownBy(page.snapshot())));
    for (const [device, all] of shown.entries()) {
      if (!equal(all, shown[0])) throw new Error(`device ${device} shows something else than device 0`);
      for (const other of DEVICES)
        counts.unacknowledgedButThere += stepShown(other, all, known[other]) - known[other];
    }
    let commits = 0;
    for await (const _ of devices[0].page.history()) commits++;
    return commits;
  } finally {
    for (const { ledger } of devices) await ledger.close();
    for (const device of DEVICES) await verify(join(path, `ledger${device}`));
  }
}

async function verify(path) {
  const engine = await folderPlace(path, "leveldb").openPage("folder", new Uint8Array(16), { create: false });
  try {
    for await (const { message, severity } of verifyPage(engine))
      if (severity === "error") throw new Error(`${path}: ${message}`);
  } finally {
    await engine.close();
  }
}

async function headOf(page) {
  const snapshot = await page.snapshot();
  await snapshot.close();
  return Buffer.from(snapshot.commitId).toString("hex");
}

/** Ignores that a merge needs a piece which is not in the folder yet: the next round brings it. */
function unlessMissing(error) {
  if (error.code !== "NETWORK_ERROR") throw error;
}

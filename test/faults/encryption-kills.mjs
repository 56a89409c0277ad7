// Kills of a program that encrypts, decrypts or encrypts anew: the new database is whole or absent, and the old one unchanged.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { countEncryption } from "../../dist/encryption/index.js";
import { openStore } from "../../dist/store/index.js";
import { rewriteDatabase } from "../../dist/transfer/index.js";

const rewriter = fileURLToPath(new URL("encryption-rewriter.mjs", import.meta.url));
const plain = fileURLToPath(new URL("../../fixtures/core-0.11/node-a/db", import.meta.url));
const [KEY, NEW_KEY] = [42, 43].map((byte) => Buffer.alloc(48, byte).toString("hex"));

/**
 * Kills so many programs at random moments: each in three encrypts a database, decrypts one, or encrypts one with another key.
 *
 * @param random gives numbers in [0, 1)
 * @returns what happened, counted
 */
export async function killRewriters(folder, kills, random) {
  const counts = { kills: 0, absent: 0, complete: 0 };
  const encrypted = join(folder, "encrypted");
  await rewriteDatabase(plain, encrypted, { newMasterKey: keyOf(KEY) });
  const tasks = [
    { source: plain, key: "-", newKey: KEY },
    { source: encrypted, key: KEY, newKey: "-" },
    { source: encrypted, key: KEY, newKey: NEW_KEY },
  ];
  const expected = await contentOf(plain, "-");
  const before = tasks.map(({ source }) => filesOf(source));
  // The time of the last task, which does most, so that the moments cover all of it.
  const time = await timeOf(tasks[2], join(folder, "whole"));
  let target = join(folder, "target-0");
  for (let kill = 0; kill < kills; kill++) {
    const task = tasks[kill % tasks.length];
    const child = start(task, target);
    const ended = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), ended]);
    await sleep(random() * time);
    child.kill("SIGKILL");
    await ended;
    counts.kills++;
    const found = readdirSync(folder).includes(`target-${counts.complete}`);
    if (found) {
      const content = await contentOf(target, task.newKey);
      if (content !== expected) throw new Error(`kill ${kill}: the new database is not whole`);
      counts.complete++;
      target = join(folder, `target-${counts.complete}`);
    } else counts.absent++;
    if (filesOf(task.source) !== before[kill % tasks.length])
      throw new Error(`kill ${kill}: the database that is read has changed`);
  }
  // The next one removes what the killed ones left.
  await rewriteDatabase(plain, target, { newMasterKey: keyOf(KEY) });
  if ((await contentOf(target, KEY)) !== expected) throw new Error("the last database is not whole");
  const left = readdirSync(folder).filter((name) => name.startsWith(`.target-${counts.complete}`));
  if (left.length > 0) throw new Error(`${left.join(", ")} was left`);
  return counts;
}

function start({ source, key, newKey }, target) {
  return spawn(process.execPath, [rewriter, source, target, key, newKey], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Milliseconds from the first output to the end. */
async function timeOf(task, target) {
  const child = start(task, target);
  await once(child.stdout, "data");
  const begun = Date.now();
  child.stdout.resume();
  await once(child, "exit");
  return Date.now() - begun;
}

/** The hash of all plain rows, and of how many are stored in which way. */
async function contentOf(path, key) {
  const store = await openStore(path, key === "-" ? {} : { masterKey: keyOf(key) });
  const hash = createHash("sha256");
  let rows = 0;
  for (const column of store.columns)
    for await (const { key: name, value } of store.raw.scan(column)) {
      hash.update(`${column} ${name.length} ${value.length} `).update(name).update(value);
      rows++;
    }
  if (key !== "-") {
    const { encrypted } = await countEncryption(store.raw);
    if (encrypted !== rows) throw new Error(`${rows - encrypted} of ${rows} rows are not encrypted`);
  }
  await store.close();
  return `${rows} ${hash.digest("hex")}`;
}

function filesOf(path) {
  const hash = createHash("sha256");
  for (const name of readdirSync(path).sort()) hash.update(name).update(readFileSync(join(path, name)));
  return hash.digest("hex");
}

function keyOf(hex) {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

// Encryption at rest in both directions: what is encrypted here is decrypted by a Rust program, and the other way round.
import { spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encryptionRules, openCipher } from "../dist/encryption/index.js";
import { openEngine } from "../dist/engines/index.js";
import { rewriteDatabase } from "../dist/transfer/index.js";

const hex = (bytes) => (bytes.length === 0 ? "-" : Buffer.from(bytes).toString("hex"));

/** Asks the program, a line for each request. */
function ask(program, requests) {
  const { status, stdout, stderr } = spawnSync(program, {
    input: `${requests.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout.trimEnd().split("\n");
}

/** Random values under random keys: returns how many were exchanged, and the differences. */
export async function exchangeValues(program, keys) {
  const requests = [];
  const expected = [];
  const sealed = [];
  for (let at = 0; at < keys; at++) {
    const master = randomBytes(32 + randomInt(100));
    const cipher = await openCipher(master);
    for (const rule of encryptionRules) {
      for (const version of [0, 1, 2, 10, 255]) {
        const plain = [0, 1, 15, 16, 17, randomInt(500), 2048, 2049].map((size) => randomBytes(size));
        const stored = await cipher.encrypt(plain, rule, version);
        for (const [index, one] of stored.entries()) {
          requests.push(`open ${hex(master)} ${hex(one)}`);
          expected.push(`${rule} ${version} ${hex(plain[index])}`);
          const spoilt = Uint8Array.from(one);
          spoilt[randomInt(spoilt.length)] ^= 1 << randomInt(8);
          requests.push(`open ${hex(master)} ${hex(spoilt)}`);
          expected.push("refused");
          sealed.push({ cipher, plain: plain[index], rule, version });
          requests.push(
            `seal ${hex(master)} ${rule} ${version} ${hex(randomBytes(12))} ${hex(plain[index])}`,
          );
          expected.push(undefined);
        }
      }
    }
  }
  const answers = ask(program, requests);
  let different = Math.abs(answers.length - requests.length);
  let next = 0;
  for (const [at, answer] of answers.entries()) {
    if (expected[at] !== undefined) {
      if (answer !== expected[at]) different++;
      continue;
    }
    const { cipher, plain, rule, version } = sealed[next++];
    const [found] = await cipher.decrypt([Buffer.from(answer, "hex")]);
    if (found?.rule !== rule || found.version !== version || hex(found.plain) !== hex(plain)) different++;
  }
  return { values: answers.length, different };
}

/** Encrypts a database, and lets the program decrypt every value of it. */
export async function decryptDatabase(program, database, rows, folder) {
  const master = randomBytes(40);
  const made = join(folder, `encrypted-${master.toString("hex", 0, 4)}`);
  const { encryptionRule } = await rewriteDatabase(database, made, { newMasterKey: master });
  const requests = [];
  const keys = [];
  const engine = await openEngine(made);
  for (const column of engine.columns)
    for await (const { key, value } of engine.scan(column)) {
      keys.push(`${column} ${hex(key)}`);
      requests.push(`open ${hex(master)} ${hex(value)}`);
    }
  await engine.close();
  const found = new Map(ask(program, requests).map((answer, at) => [keys[at], answer]));
  const lines = readFileSync(rows, "utf8").trimEnd().split("\n");
  let different = Math.abs(lines.length - found.size);
  for (const line of lines) {
    const { column, key, value } = JSON.parse(line);
    if (found.get(`${column} ${key}`) !== `${encryptionRule} 1 ${value === "" ? "-" : value}`) different++;
  }
  return { rows: lines.length, different };
}

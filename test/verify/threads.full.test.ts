/** Threads do what is done without them. The built files: a thread loads no TypeScript. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { derivePublicKey, sha256, sign } from "../../src/crypto/index.js";
import type { ContextMeta } from "../../src/index.js";
import { core011 } from "../../src/schemas/index.js";
import { rewriteDatabase } from "../../src/transfer/index.js";
import {
  type Finding,
  type VerifyOptions,
  verifyStore,
  workerThreads as withoutFile,
} from "../../src/verify/index.js";
import type { PartWork } from "../../src/verify/part.js";
import { packMessages, packSigned, unpackMessages, unpackSigned } from "../../src/verify/threads/packing.js";
import type { Signed } from "../../src/verify/work.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { inMemory } from "./altered.js";

const built = new URL("../../dist/verify/threads/worker-threads.js", import.meta.url);
if (!existsSync(built)) throw new Error("dist/verify is missing: run `npm run build` first");
const { workerThreads } = (await import(built.href)) as { readonly workerThreads: typeof withoutFile };
const { openStore } = (await import(
  new URL("../../index.js", built).href
)) as typeof import("../../src/index.js");
const { verifyStore: verifyBuilt } = (await import(
  new URL("../index.js", built).href
)) as typeof import("../../src/verify/index.js");

const seed = new Uint8Array(32).fill(7);
const publicKey = derivePublicKey(seed);

/** Signatures, of which every third is wrong. */
const signed: readonly Signed[] = Array.from({ length: 700 }, (_, at): Signed => {
  const message = new Uint8Array(at).fill(at);
  const signature = sign(seed, message);
  return { publicKey, message: at % 3 === 0 ? Uint8Array.of(at) : message, signature, strict: at % 2 === 0 };
});
const right = signed.map((_, at) => at % 3 !== 0);

describe("packing", () => {
  it("keeps messages and signatures as they are", () => {
    const messages = [0, 1, 5, 300].map((size) => new Uint8Array(size).fill(size));
    expect(unpackMessages(packMessages(messages))).toEqual(messages);
    expect(unpackMessages(packMessages([]))).toEqual([]);
    expect(unpackSigned(packSigned(signed.slice(0, 9)))).toEqual(signed.slice(0, 9));
  });
});

describe("worker threads", () => {
  it("verify and hash as this thread does", async () => {
    await using work = workerThreads({ threads: 2, patience: 0 });
    expect(await work.verify(signed)).toEqual(right);
    const messages = [1, 20_000, 0, 300_000].map((size) => new Uint8Array(size).fill(size));
    expect(await work.sha256(messages)).toEqual(messages.map((message) => sha256(message)));
    expect(work.running).toBe(2);
    expect(await Promise.all([work.verify(signed), work.verify([])])).toEqual([right, []]);
  });

  it("are started when there is enough to do", async () => {
    await using work = workerThreads({ threads: 1, patience: 701 });
    await work.verify(signed);
    await work.sha256([Uint8Array.of(1)]);
    expect(work.running).toBe(0);
    await work.verify(signed.slice(0, 1));
    expect(work.running).toBe(0);
    await work.verify(signed);
    expect(work.running).toBe(1);
  });

  it("are not needed: without them, or when they end, the work is done here", async () => {
    // From the sources there is no file that a thread could load.
    await using missing = withoutFile({ threads: 2, patience: 0 });
    expect(await missing.verify(signed)).toEqual(right);
    expect(missing.running).toBe(0);
    const closed = workerThreads({ patience: 0 });
    const answers = closed.verify(signed);
    await closed.close();
    expect(await answers).toEqual(right);
    expect(await closed.verify(signed)).toEqual(right);
  });

  it("find what is found without them", async () => {
    await using work = workerThreads({ threads: 2, patience: 0 });
    const store = await inMemory("core-0.11/every-kind-tables", core011);
    const [here, there] = await Promise.all([
      verifyStore(store).summary(),
      verifyStore(store, { work }).summary(),
    ]);
    expect(work.running).toBeGreaterThan(0);
    expect(there).toEqual(here);
  });
});

describe("threads that check column families", () => {
  const path = fixturePath("core-0.11/node-a/db");

  /** The findings of a check, and whether threads did it. */
  async function check(folder: string, database = path, options: Omit<VerifyOptions, "work"> = {}) {
    await using store = await openStore(database);
    await using threads = workerThreads({ folder, threads: 2 });
    let byThreads = false;
    const work: PartWork = {
      sha256: (messages) => threads.sha256(messages),
      verify: (all) => threads.verify(all),
      async beginParts(...given) {
        const begun = await threads.beginParts(...given);
        byThreads = begun !== undefined;
        return begun;
      },
    };
    const verification = verifyBuilt(store, { ...options, work });
    const findings: Finding[] = [];
    for await (const finding of verification) findings.push(finding);
    return { byThreads, findings, summary: await verification.summary() };
  }

  it("find the same in the same order, and count the same", async () => {
    const { byThreads, ...found } = await check(path);
    expect(byThreads).toBe(true);
    expect(found.findings.length).toBeGreaterThan(10);
    const { byThreads: alone, ...expected } = await check(fixturePath("core-0.11/node-b/db"));
    expect(alone).toBe(false); // it is another database
    expect(found).toEqual(expected);
  });

  it("report damage as it is reported without them", async () => {
    using folder = temporaryFolder();
    const damaged = join(folder.path, "db");
    cpSync(fixturePath("core-0.11/every-kind-tables/db"), damaged, { recursive: true });
    const [table] = readdirSync(damaged).filter((name) => name.endsWith(".sst"));
    const bytes = readFileSync(join(damaged, table as string));
    writeFileSync(join(damaged, table as string), bytes.fill(0xff, 40, 60));
    const { byThreads, ...found } = await check(damaged, damaged);
    const { byThreads: alone, ...expected } = await check(path, damaged);
    expect([byThreads, alone]).toEqual([true, false]);
    expect(found).toEqual(expected);
    expect(found.findings.some(({ rule }) => rule === "column-readable")).toBe(true);
  });

  it("check only what belongs to a context, and end when nobody reads on", async () => {
    await using store = await openStore(path);
    let contextId: Uint8Array | undefined;
    for await (const { key } of store.scan("ContextMeta", { limit: 1 })) ({ contextId } = key as ContextMeta);
    const [found, expected] = [
      await check(path, path, { context: contextId }),
      await check(fixturePath("core-0.11/node-b/db"), path, { context: contextId }),
    ];
    expect(found).toEqual({ ...expected, byThreads: true });
    await using work = workerThreads({ folder: path, threads: 2 });
    for await (const finding of verifyBuilt(store, { work })) if (finding.rule !== "") break;
  });

  it("leave encrypted databases to the thread that has the key", async () => {
    using folder = temporaryFolder();
    const encrypted = join(folder.path, "db");
    const masterKey = new Uint8Array(48).fill(0x42);
    await rewriteDatabase(path, encrypted, { newMasterKey: masterKey });
    await using store = await openStore(encrypted, { masterKey });
    await using work = workerThreads({ folder: encrypted });
    const { errors } = await verifyBuilt(store, { work }).summary();
    expect(errors).toBe(0);
  });
});

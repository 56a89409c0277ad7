/** Threads do the same as work without them. The test loads built files: a thread loads no TypeScript. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { derivePublicKey, sha256, sign } from "../../src/crypto/index.js";
import { core011 } from "../../src/schemas/index.js";
import { verifyStore, workerThreads as withoutFile } from "../../src/verify/index.js";
import { packMessages, packSigned, unpackMessages, unpackSigned } from "../../src/verify/threads/packing.js";
import type { Signed } from "../../src/verify/work.js";
import { inMemory } from "./altered.js";

const built = new URL("../../dist/verify/threads/worker-threads.js", import.meta.url);
if (!existsSync(built)) throw new Error("dist/verify is missing: run `npm run build` first");
const { workerThreads } = (await import(built.href)) as { readonly workerThreads: typeof withoutFile };

const seed = new Uint8Array(32).fill(7);
const publicKey = derivePublicKey(seed);

/** Signatures; every third one is wrong. */
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
    // The sources have no file that a thread could load.
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

/** Ending before the end: a reader that has read enough, and signals. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContextState011 } from "../../src/keys/index.js";
import { core010 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { copyOfDatabase, temporaryFolder } from "../support/fixtures.js";
import { exitOf, start, textOf } from "./run.js";

/** Far more than any pipe holds. */
const ROWS = 100_000;

const folder = temporaryFolder();
const path = join(folder.path, "db");
const scan = ["scan", path, "--revision", "core-0.10"];
const contextId = new Uint8Array(32).fill(7);

function keyOf(index: number): ContextState011 {
  const stateKey = new Uint8Array(32);
  new DataView(stateKey.buffer).setUint32(0, index);
  return new ContextState011({ contextId, stateKey });
}

beforeAll(async () => {
  await using store = await openStore(path, { create: true, schema: core010 });
  for (let from = 0; from < ROWS; from += 10_000) {
    const batch = store.batch();
    for (let index = from; index < from + 10_000; index++) batch.put(keyOf(index), contextId);
    await batch.write();
  }
  await store.flush();
});

afterAll(() => folder[Symbol.dispose]());

/** The lock is free and nothing is missing: the database was closed, not abandoned. */
async function expectWhole(): Promise<void> {
  await using store = await openStore(path, { schema: core010, writable: true });
  expect(store.warnings).toEqual([]);
  expect(await store.get(keyOf(0))).toEqual(contextId);
  expect(await store.get(keyOf(ROWS - 1))).toEqual(contextId);
  await store.put(keyOf(0), contextId);
}

describe("a reader that closes the pipe", () => {
  for (const form of [[], ["--json"], ["--column", "State"]]) {
    it(`ends the scan quietly ${form.join(" ")}`, async () => {
      const child = start([...scan, ...form]);
      const stderr = textOf(child.stderr);
      await once(child.stdout as NodeJS.ReadableStream, "data");
      child.stdout?.destroy();
      expect(await exitOf(child)).toBe(0);
      expect(await stderr).toBe("");
    });
  }

  it("may close stderr too", async () => {
    const child = start(scan);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.stderr?.destroy();
    child.stdout?.destroy();
    expect(await exitOf(child)).toBe(0);
  });
});

describe("a signal while nobody reads the output", () => {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  for (const [signal, status] of signals) {
    it(`${signal} ends the scan with status ${status}, the database closed`, async () => {
      const child = start(scan);
      const stderr = textOf(child.stderr);
      // Output has begun, and nobody takes it: without the signal the process waits for ever.
      await once(child.stdout as NodeJS.ReadableStream, "readable");
      child.kill(signal);
      expect(await exitOf(child)).toBe(status);
      expect(await stderr).not.toMatch(/error|warning/i);
      await expectWhole();
    });
  }
});

/** Sends SIGTERM, and checks that the command ends by it: one that waits on for its server ends with another status. */
async function expectEndedBySignal(child: ReturnType<typeof start>): Promise<void> {
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(143);
}

describe("a signal while a command waits for something that never comes", () => {
  it("ends a copy from a web server that sends little by little, and leaves nothing", async () => {
    const server = createServer((_, response) => {
      const sending = setInterval(() => response.write("x".repeat(4_000)), 20);
      response.on("close", () => clearInterval(sending));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const child = start([
      "db",
      "copy",
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/db/`,
      join(folder.path, "copied"),
    ]);
    await once(server, "request");
    await expectEndedBySignal(child);
    expect(readdirSync(folder.path)).toEqual(["db"]);
    server.close();
  });

  it("ends a command on a server of PostgreSQL that says nothing", async () => {
    const server = createTcpServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const child = start(["scan", `postgres://anna@127.0.0.1:${port}/nodes?node=a&sslmode=disable`]);
    await once(server, "connection");
    await expectEndedBySignal(child);
    server.close();
  });

  it("ends blobs put while stdin is open, and removes the files of the first chunks", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const blobs = join(folder.path, "blobs");
    mkdirSync(blobs);
    const child = start(["blobs", "put", copy.path, "-", "--blobs", blobs], "pipe");
    child.stdin?.on("error", () => undefined);
    child.stdin?.write(Buffer.alloc(3 * 1024 * 1024, 7));
    while (readdirSync(blobs).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await expectEndedBySignal(child);
    expect(readdirSync(blobs)).toEqual([]);
  });
});

it("an unfinished folder is removed when the process exits", async () => {
  using place = temporaryFolder();
  const module = new URL("../../dist/disk/new-folder.js", import.meta.url).href;
  const program = `import { makeFolder } from ${JSON.stringify(module)};
    import { writeFileSync } from "node:fs";
    await makeFolder(${JSON.stringify(join(place.path, "new"))}, "copying", async (folder) => {
      writeFileSync(folder + "/CURRENT", "");
      process.exit(5);
    });`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", program]).status).toBe(5);
  expect(readdirSync(place.path)).toEqual([]);
});

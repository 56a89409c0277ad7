/** Databases that close their files while nobody uses them: how many stay open, and in which order; failures. */
import type { Engine } from "merostore/engine";
import { MerostoreError } from "merostore/internal";
import { expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { IdleEngine, OpenDatabases } from "../../src/places/idle-engine.js";
import { Gate } from "../support.js";

const KEY = new Uint8Array(1);

/** Databases that open and close by themselves. Each call ends after some turns of the event loop. */
class Databases {
  readonly #all: OpenDatabases;
  readonly open = new Set<string>();
  /** The greatest number of databases that were open at once. */
  most = 0;
  readonly log: string[] = [];
  /** The calls that fail, by name: `write a`. */
  readonly failing = new Set<string>();
  /** Called during an opening. */
  onOpen: (name: string) => Promise<void> = async () => undefined;
  /** Called during a read. */
  onGet: (name: string) => Promise<void> = async () => undefined;

  constructor(most: number) {
    this.#all = new OpenDatabases(most);
  }

  async add(name: string): Promise<Engine> {
    const engine = await IdleEngine.open(
      this.#all,
      async () => this.#opened(name),
      () => undefined,
    );
    await turns();
    return engine;
  }

  async #opened(name: string): Promise<Engine> {
    await this.onOpen(name);
    this.#call("open", name);
    this.open.add(name);
    this.most = Math.max(this.most, this.open.size);
    return {
      get: async () => {
        await this.onGet(name);
        this.#call("get", name);
      },
      write: async () => this.#call("write", name),
      close: async () => {
        await turns();
        this.open.delete(name);
        this.#call("close", name);
      },
    } as unknown as Engine;
  }

  #call(what: string, name: string): void {
    this.log.push(`${what} ${name}`);
    if (this.failing.delete(`${what} ${name}`)) throw new Error(`${what} ${name} has failed`);
  }
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise<void>((resolve) => setImmediate(resolve));
}

it("no more databases than the most have open files, however many are used", async () => {
  const databases = new Databases(2);
  const engines = await Promise.all(["a", "b", "c", "d", "e"].map((name) => databases.add(name)));
  for (let round = 0; round < 3; round++)
    await Promise.all(engines.map(async (engine) => [await engine.get("", KEY), await engine.get("", KEY)]));
  expect(databases.most).toBe(2);
  await Promise.all(engines.map((engine) => engine.close()));
  expect([...databases.open]).toEqual([]);
});

it("a database that is closed while its use waits is not opened again", async () => {
  const databases = new Databases(1);
  const [a, b] = [await databases.add("a"), await databases.add("b")];
  const gate = new Gate();
  databases.onGet = () => gate.opened;
  const busy = b.get("", KEY);
  const late = rejection(a.get("", KEY), "CLOSED");
  await turns();
  await a.close();
  databases.log.length = 0;
  gate.open();
  await Promise.all([busy, late]);
  await turns();
  expect(databases.log).not.toContain("open a");
});

it("only the next use gets an error of closing the files", async () => {
  const databases = new Databases(1);
  const a = await databases.add("a");
  databases.failing.add("close a");
  await databases.add("b");
  await expect(a.get("", KEY)).rejects.toThrow("close a has failed");
  for (let count = 0; count < 3; count++) await a.get("", KEY);
  await a.close();
});

it("databases that could not be written stay open and take the places of others, but one", async () => {
  const databases = new Databases(3);
  const engines = new Map<string, Engine>();
  for (const name of ["a", "b", "c", "d"]) engines.set(name, await databases.add(name));
  for (const name of ["a", "b"]) {
    databases.failing.add(`write ${name}`);
    await expect(engines.get(name)?.write([])).rejects.toThrow("failed");
    await turns();
  }
  for (const name of ["c", "d", "c"]) await engines.get(name)?.get("", KEY);
  await turns();
  expect([...databases.open].sort()).toEqual(["a", "b", "c"]);
  for (const name of ["c", "d"]) {
    databases.failing.add(`write ${name}`);
    await expect(engines.get(name)?.write([])).rejects.toThrow("failed");
    await turns();
  }
  await databases.add("e");
  await databases.add("f");
  expect([...databases.open].sort()).toEqual(["a", "b", "c", "d", "f"]);
});

it("a database that must stay open holds up no others while it is used", async () => {
  const databases = new Databases(2);
  const kept = [await databases.add("a"), await databases.add("b")] as const;
  for (const [index, engine] of kept.entries()) {
    databases.failing.add(`write ${"ab"[index]}`);
    await expect(engine.write([])).rejects.toThrow("failed");
    await turns();
  }
  const c = await databases.add("c");
  await databases.add("d");
  const gate = new Gate();
  databases.onGet = (name) => (name === "a" ? gate.opened : Promise.resolve());
  const busy = kept[0].get("", KEY);
  const other = c.get("", KEY);
  for (let count = 0; count < 5; count++) await turns();
  expect(databases.log).toContain("get c");
  gate.open();
  await Promise.all([busy, other]);
  await databases.add("e");
  expect([...databases.open].sort()).toEqual(["a", "b", "e"]);
});

it("databases that are closed count until their files are", async () => {
  const databases = new Databases(2);
  const [a, b] = [await databases.add("a"), await databases.add("b")];
  const [, , c] = await Promise.all([a.close(), b.close(), databases.add("c"), databases.add("d")]);
  expect(databases.most).toBe(2);
  const gate = new Gate();
  databases.onGet = () => gate.opened;
  const busy = c.get("", KEY);
  await turns();
  const closing = c.close();
  gate.open();
  await Promise.all([busy, closing, databases.add("e"), databases.add("f")]);
  expect(databases.most).toBe(2);
  expect([...databases.open].sort()).toEqual(["e", "f"]);
});

it("an opening that fails while its database is closed is the error of its use alone", async () => {
  const databases = new Databases(1);
  const a = await databases.add("a");
  await databases.add("b");
  const gate = new Gate();
  databases.onOpen = () => gate.opened;
  databases.failing.add("open a");
  const use = expect(a.get("", KEY)).rejects.toThrow("open a has failed");
  for (let count = 0; count < 3; count++) await turns();
  const closing = a.close();
  gate.open();
  await Promise.all([use, closing]);
  expect([...databases.open]).toEqual([]);
});

it("an opening that fails closes no other database for longer than it takes", async () => {
  const databases = new Databases(2);
  await databases.add("a");
  for (let count = 0; count < 3; count++) {
    databases.failing.add("open b");
    await expect(databases.add("b")).rejects.toThrow("open b has failed");
    await turns();
  }
  await databases.add("c");
  expect([...databases.open]).toEqual(["a", "c"]);
});

it("uses that wait begin in the order of the calls", async () => {
  const all = new OpenDatabases(1);
  const databases = new Databases(1);
  const [a, b, c] = [await databases.add("a"), await databases.add("b"), await databases.add("c")] as const;
  const begun: string[] = [];
  await all.begin(a as IdleEngine);
  const first = all.begin(b as IdleEngine).then(() => begun.push("b"));
  all.end(a as IdleEngine, "closed");
  const second = all.begin(c as IdleEngine).then(() => begun.push("c"));
  await turns();
  expect(begun).toEqual(["b"]);
  all.end(b as IdleEngine, "closed");
  await Promise.all([first, second]);
  expect(begun).toEqual(["b", "c"]);
});

it("files that another process reads are opened when it has ended; those of the first opening, and of a database that closes, are not waited for", async () => {
  const databases = new Databases(1);
  let readers = 1;
  const read = async (name: string): Promise<void> => {
    if (name !== "b" && readers-- > 0)
      throw new MerostoreError("DATABASE_LOCKED", "another process reads it");
  };
  databases.onOpen = read;
  await rejection(databases.add("a"), "DATABASE_LOCKED");
  const a = await databases.add("a");
  const b = await databases.add("b");
  databases.log.length = 0;
  readers = 3;
  await a.get("", KEY);
  expect(databases.log).toEqual(["close b", "open a", "get a"]);
  expect(readers).toBe(-1);
  await b.get("", KEY);
  databases.onOpen = async (name) => {
    readers = 1;
    if (name === "a") void a.close();
    await read(name);
  };
  await rejection(a.get("", KEY), "DATABASE_LOCKED");
  await b.close();
});

/** Databases read through the command explore, against the same ones in their folders. */
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromBase58 } from "../../../../src/bytes/base58.js";
import { toHex } from "../../../../src/bytes/hex.js";
import { openFiles } from "../../../../src/engines/files/index.js";
import { openFilesEngine } from "../../../../src/engines/index.js";
import { openStore, storeOn } from "../../../../src/store/index.js";
import { blobFolder } from "../../../../src/verify/index.js";
import { apply, changesOf, rowsOf } from "../../../../test/engines/files/changed-rows.js";
import { type Explorer, exploring } from "../../../../test/explore/explorer.js";
import { copyOfDatabase, databases, fixturePath } from "../../../../test/support/fixtures.js";
import { ToldWriter } from "../../../../test/support/told-writer.js";
import { servedBlobs, servedDatabases, servedFiles } from "../../src/client/index.js";

const filesOf = ({ origin, token }: Explorer, at = 0) => servedFiles(origin, at, token);

/** A batch that writes its number into two column families. */
const numbered = (number: number) =>
  (["Meta", "Group"] as const).map((column) => ({
    type: "put" as const,
    column,
    key: Uint8Array.of(0xff, 1),
    value: Uint8Array.of(number >> 8, number),
  }));

const bulk = (number: number) =>
  Array.from({ length: 50 }, (_, at) => ({
    type: "put" as const,
    column: "State",
    key: Uint8Array.from({ length: 64 }, () => at),
    value: new Uint8Array(200).fill(number),
  }));

/** A database of each revision, with logs and tables; all others have files of the same kinds. */
const SERVED = [
  "documented/log-and-tables",
  "core-0.10/log-and-tables",
  "core-0.11/log-and-tables",
  "core-0.11/every-kind-tables",
  "core-0.11/node-a",
];

describe("a database through the explorer's server", () => {
  it.each(databases.filter(({ name }) => SERVED.includes(name)))(
    "$name has the rows of its folder, one by one",
    async ({ name, rows }) => {
      const path = fixturePath(name, "db");
      await using explorer = await exploring(path);
      const [database] = await servedDatabases(explorer.origin, explorer.token);
      expect(database).toEqual({ name: expect.any(String), path, blobs: expect.any(Boolean) });
      await using store = await storeOn(await openFiles(filesOf(explorer)));
      await using expected = await openStore(path);
      expect(store.schema.name).toBe(expected.schema.name);
      expect(store.columns).toEqual(expected.columns);
      expect(store.warnings).toEqual(expected.warnings);
      const found = await rowsOf(store.raw);
      expect(found.size).toBe(rows);
      expect([...found]).toEqual([...(await rowsOf(expected.raw))]);
      const [first = ""] = found.keys();
      const [column = "", key = ""] = first.split(" ");
      expect(await store.raw.get(column, Buffer.from(key, "hex"))).toEqual(
        await expected.raw.get(column, Buffer.from(key, "hex")),
      );
    },
  );

  it("has two databases side by side", async () => {
    const paths = ["core-0.11/node-a", "core-0.10/node-b"].map((name) => fixturePath(name, "db"));
    await using explorer = await exploring(...paths);
    for (const [at, path] of paths.entries()) {
      await using engine = await openFiles(filesOf(explorer, at));
      await using expected = await openFilesEngine(path);
      expect(await rowsOf(engine)).toEqual(await rowsOf(expected));
    }
    await expect(openFiles(filesOf(explorer, 2))).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("shows after a refresh what was written since, and scans that had begun show what was there", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const writer = await ToldWriter.start(copy.path);
    await writer.write(bulk(0));
    await writer.tell("flush");
    await using explorer = await exploring(copy.path);
    await using engine = await openFiles(filesOf(explorer));
    const before = await rowsOf(engine);
    const snapshot = await engine.snapshot();
    let since = engine.sequence;
    const followed = new Map(before);
    const deleted = new Set(readdirSync(copy.path).filter((name) => /\.(sst|log)$/.test(name)));
    for (let number = 1; number <= 12; number++) {
      await writer.write([...numbered(number), ...bulk(number)]);
      // Half of the rows stay in the log alone; then they are in tables; then compacted, without older files.
      if (number % 2 === 0) await writer.tell("flush");
      if (number % 5 === 0) await writer.tell("reopen");
      for (const batch of await changesOf(engine, since)) {
        apply(followed, batch.operations);
        since = batch.sequence;
      }
      await engine.refresh();
      await using expected = await openFilesEngine(copy.path);
      const rows = await rowsOf(engine);
      expect(rows.get("Meta ff01")).toBe(toHex(Uint8Array.of(0, number)));
      expect([...rows]).toEqual([...(await rowsOf(expected))]);
      expect(new Map([...followed].sort())).toEqual(new Map([...rows].sort()));
    }
    const left = new Set(readdirSync(copy.path));
    expect([...deleted].filter((name) => !left.has(name)).length).toBeGreaterThan(1);
    expect([...(await rowsOf(snapshot))]).toEqual([...before]);
    await snapshot.close();
    await writer.stop();
  });

  it("shows each batch whole or not at all while a writer writes, flushes and begins anew", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const writer = await ToldWriter.start(copy.path);
    await writer.write(numbered(0));
    await using explorer = await exploring(copy.path);
    await using engine = await openFiles(filesOf(explorer));
    let last = 0;
    const writing = (async () => {
      for (let number = 1; number <= 300; number++) {
        await writer.write([...numbered(number), ...bulk(number)]);
        if (number % 10 === 0) await writer.tell("flush");
        if (number % 70 === 0) await writer.tell("reopen");
        last = number;
      }
    })();
    let seen = 0;
    let states = 0;
    while (seen < 300) {
      const least = last;
      await engine.refresh();
      await using moment = await engine.snapshot();
      const numbers = await Promise.all(
        ["Meta", "Group"].map(async (column) =>
          toHex((await moment.get(column, Uint8Array.of(0xff, 1))) ?? new Uint8Array(0)),
        ),
      );
      expect(new Set(numbers).size).toBe(1);
      const number = Number.parseInt(numbers[0] as string, 16);
      expect(number).toBeGreaterThanOrEqual(Math.max(seen, least));
      const values = new Set<string>();
      for await (const { key, value } of moment.scan("State"))
        if (key.every((byte) => byte === key[0])) values.add(toHex(value));
      expect([...values]).toEqual(number === 0 ? [] : [toHex(new Uint8Array(200).fill(number))]);
      seen = number;
      states++;
    }
    expect(states).toBeGreaterThan(1);
    await writing;
    await writer.stop();
  });

  it("tells when another database with a log of the same name is in its place", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    using other = copyOfDatabase("core-0.11/node-c");
    await using explorer = await exploring(copy.path);
    await using engine = await openFiles(filesOf(explorer));
    expect(await changesOf(engine, engine.sequence)).toEqual([]);
    renameSync(copy.path, `${copy.path}-before`);
    renameSync(other.path, copy.path);
    const error = await changesOf(engine, engine.sequence).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "CHANGES_LOST", isReplaced: true });
  });

  it("has the blobs of the node", async () => {
    const home = fixturePath("core-0.11/log");
    const local = await blobFolder(join(home, "blobs"));
    await using explorer = await exploring(join(home, "db"));
    const blobs = servedBlobs(explorer.origin, 0, explorer.token);
    const names = readdirSync(join(home, "blobs")).filter((name) =>
      /^[1-9A-HJ-NP-Za-km-z]{40,44}$/.test(name),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const id = fromBase58(name);
      const found = await blobs.read(id);
      expect(found?.length).toBeGreaterThan(0);
      expect(Buffer.from(found ?? []).equals(Buffer.from((await local.read(id)) ?? []))).toBe(true);
    }
    expect(await blobs.read(new Uint8Array(32).fill(7))).toBeUndefined();
  });
});

describe("a server that has ended", () => {
  it("is named in the error, and so is a token that is none", async () => {
    const explorer = await exploring(fixturePath("core-0.11/node-a/db"));
    const files = filesOf(explorer);
    await expect(openFiles(servedFiles(explorer.origin, 0, "0".repeat(64)))).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      message: expect.stringContaining("the token is not that of the server"),
    });
    await using engine = await openFiles(files);
    await explorer.end();
    await expect(engine.refresh()).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      message: expect.stringContaining("Start merostore explore again"),
    });
  });
});

/** Databases: the Ledger, LevelDB and SQLite. */
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { temporaryFolder } from "../../../../bench/temporary-folder.js";
import { folderCloud, openLedger } from "../../src/index.js";
import { type OpenPeer, optional } from "./peer.js";

/** A page that keeps its history or prunes it, whose puts are immediate or eventual. */
export function ledger(history: "keep" | "prune", durability: "immediate" | "eventual"): OpenPeer {
  return async (folder) => {
    const shared = temporaryFolder();
    const cloud = folderCloud(shared, { interval: 0 });
    const opened = await openLedger(join(folder, "ledger"), { name: "bench", history });
    const page = await opened.rootPage({ durability });
    return {
      async put(entries) {
        const [first, ...others] = entries;
        if (first !== undefined && others.length === 0) await page.put(...first);
        else
          await page.transaction(async (tx) => {
            for (const [key, value] of entries) await tx.put(key, value);
          });
      },
      async scan() {
        let count = 0;
        for await (const chunk of page.entries().chunks()) count += chunk.length;
        return count;
      },
      get: (key) => page.get(key),
      async sync(changes) {
        await using here = await openLedger(join(folder, "here"), { name: "bench", cloud });
        await using own = await here.rootPage();
        for (const entries of changes)
          await own.transaction(async (tx) => {
            for (const [key, value] of entries) await tx.put(key, value);
          });
        await cloud.sync();
        const another = folderCloud(shared, { interval: 0 });
        await using there = await openLedger(join(folder, "there"), { name: "bench", cloud: another });
        await using copy = await there.rootPage();
        await another.sync();
        await copy.heads();
        return cloud.transferred.up.bytes;
      },
      flush: () => page.flush(),
      close: () => opened.close(),
    };
  };
}

export const level: OpenPeer = async (folder) => {
  const database = new ClassicLevel<string, Uint8Array>(join(folder, "level"), { valueEncoding: "view" });
  await database.open();
  return {
    put: (entries) =>
      database.batch(
        entries.map(([key, value]) => ({ type: "put", key, value })),
        { sync: true },
      ),
    async scan() {
      let count = 0;
      const iterator = database.iterator();
      for (let rows = await iterator.nextv(1000); rows.length > 0; rows = await iterator.nextv(1000))
        count += rows.length;
      await iterator.close();
      return count;
    },
    get: (key) => database.get(key),
    close: () => database.close(),
  };
};

interface Sqlite {
  readonly default: new (
    file: string,
  ) => {
    pragma(words: string): unknown;
    prepare(sql: string): {
      run(...values: readonly unknown[]): unknown;
      all(): readonly unknown[];
      get(key: string): unknown;
    };
    transaction<T>(work: (value: T) => void): (value: T) => void;
    close(): void;
  };
}

export const sqlite: OpenPeer = async (folder) => {
  const { default: Database } = await optional<Sqlite>("better-sqlite3");
  const database = new Database(join(folder, "sqlite"));
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  database.prepare("create table entries (key text primary key, value blob) without rowid").run();
  const put = database.prepare("insert or replace into entries values (?, ?)");
  const putAll = database.transaction((entries: Parameters<Awaited<ReturnType<OpenPeer>>["put"]>[0]) => {
    for (const entry of entries) put.run(...entry);
  });
  const all = database.prepare("select key, value from entries order by key");
  const one = database.prepare("select value from entries where key = ?");
  return {
    put: async (entries) => putAll(entries),
    scan: async () => all.all().length,
    get: async (key) => one.get(key),
    close: async () => database.close(),
  };
};

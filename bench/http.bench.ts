import { rm } from "node:fs/promises";
import { backupDatabase } from "../src/engines/index.js";
import { core010, openStore } from "../src/index.js";
import type { Requested, Server } from "../test/engines/files/http/serve.mjs";
import { DATA } from "./kept-database.js";
import type { Question } from "./question.js";

/** The web server of the tests, which is not compiled. */
const SERVE = new URL("../../../test/engines/files/http/serve.mjs", import.meta.url).href;

export default {
  name: "http",
  asks: "How many requests does one row of a backup on a web server take, opening included, and how many bytes a scan of all rows?",
  against: "6; the bytes of the files",
  wanted: "≤ 6, ≤ 1.2",
  async *answer({ database }) {
    const { path } = await database();
    const copy = `${DATA}/http-backup`;
    await rm(copy, { recursive: true, force: true });
    const { bytes } = await backupDatabase(path, copy);
    const { serve } = (await import(SERVE)) as { serve(folder: string): Promise<Server> };
    const server = await serve(copy);
    try {
      const open = (location: string) => openStore(location, { schema: core010 });
      const key = await middleKey(copy);
      await server.requests();
      {
        await using store = await open(server.url("plain"));
        if ((await store.raw.get("State", key)) === undefined) throw new Error("the row is missing");
      }
      const requests = await server.requests();
      yield `get of one row, opening included: ${requests.length} requests, ${sent(requests)} bytes, wanted ≤ 6 requests`;
      const time = await scanTime(server.url("plain"));
      const all = await server.requests();
      const ratio = (sent(all) / bytes).toFixed(2);
      yield `scan of all rows: ${ratio} of the bytes of the files in ${all.length} requests, wanted ≤ 1.2; ${(time / (await scanTime(copy))).toFixed(1)} times as long as from the folder`;
    } finally {
      server.close();
      await rm(copy, { recursive: true, force: true });
    }
  },
} satisfies Question;

function sent(requests: readonly Requested[]): number {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A key in the middle of the rows of State. */
async function middleKey(path: string): Promise<Uint8Array> {
  await using store = await openStore(path, { schema: core010 });
  let middle = new Uint8Array(64).fill(0x80);
  for await (const { key } of store.raw.scan("State", { gte: middle }, { limit: 1, keysOnly: true }))
    middle = Uint8Array.from(key);
  return middle;
}

/** Milliseconds in which all rows are read. */
async function scanTime(location: string): Promise<number> {
  const start = performance.now();
  await using store = await openStore(location, { schema: core010 });
  let rows = 0;
  for (const column of store.columns)
    for await (const chunk of store.raw.scan(column).chunks()) rows += chunk.length;
  if (rows === 0) throw new Error("the scan returned no rows");
  return performance.now() - start;
}

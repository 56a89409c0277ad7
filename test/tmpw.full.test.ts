import { cpSync, readdirSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFilesEngine, openRocksEngine, type Engine } from "../src/engines/index.js";
import { fixture, plainFixtureNames, temporaryCopy } from "./engines/temporary.js";
async function all(e: Engine) { const out: string[] = []; for (const c of e.columns) for await (const { key, value } of e.scan(c)) out.push(`${c} ${Buffer.from(key).toString("hex")} ${Buffer.from(value).toString("hex")}`); return out.sort(); }
it.each([...plainFixtureNames().slice(0, 14), "formats/levels-4", "formats/logs"])("%s", async (name) => {
  const path = temporaryCopy(fixture(name));
  const e = await openFilesEngine(path, { writable: true });
  const before = await all(e);
  const column = e.columns.at(-1) as string;
  const ops = Array.from({ length: 3000 }, (_, i) => ({ type: "put" as const, column: i % 3 ? column : "default", key: Buffer.from(`key-${(i * 7919) % 3000}`), value: Buffer.alloc(i % 200, i) }));
  for (let i = 0; i < ops.length; i += 100) await e.write(ops.slice(i, i + 100), { sync: i % 500 === 0 });
  await e.write([{ type: "deleteRange", column, from: Buffer.from("key-1"), to: Buffer.from("key-2") }, { type: "put", column, key: Buffer.from("key-15"), value: Buffer.from("again") }, { type: "delete", column, key: Buffer.from("key-2001") }]);
  const after = await all(e);
  expect(after.length).toBeGreaterThan(before.length);
  await e.close();
  { await using r = await openFilesEngine(path); expect(await all(r)).toEqual(after); }
  const copy = path + "-2"; cpSync(path, copy, { recursive: true });
  const w = await openFilesEngine(path, { writable: true });
  await w.write([{ type: "put", column, key: Buffer.from("zzz"), value: Buffer.from("1") }]);
  await w.flush();
  const flushed = await all(w);
  expect(flushed.filter((x) => !after.includes(x)).length).toBe(1);
  await w.write([{ type: "deleteRange", column, from: Buffer.from("key-3"), to: Buffer.from("key-4") }]);
  const last = await all(w);
  await w.close();
  { await using r = await openFilesEngine(path); expect(await all(r)).toEqual(last); expect(r.warnings).toEqual([]); }
  let native = true;
  try { await using r = await openRocksEngine(copy, { writable: true }); expect(await all(r)).toEqual(after); } catch (x) { if ((x as {code?:string}).code !== "WRITING_UNSUPPORTED") throw x; native = false; }
  if (native) { await using r = await openRocksEngine(path, { writable: true }); expect(await all(r)).toEqual(last); await r.flush(); expect(await all(r)).toEqual(last); }
  const names = readdirSync(path);
  console.log(name, native, names.length, last.length);
});

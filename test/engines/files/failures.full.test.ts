/** Several failures at once: one reaches the caller, and no other is an unhandled rejection. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { internalKey } from "./fuzz/byte-writer.js";
import { database } from "./fuzz/databases.js";
import { block, table } from "./fuzz/tables.js";
import { MemoryFiles } from "./memory-files.js";

/** Opens two tables that each have a block with an impossible entry. The index of the second is already read. */
async function openDamaged() {
  const bytes = table({ data: [{ contents: block([{ key: "short", value: "" }]) }] });
  const bounds = (key: string) => ({ smallest: internalKey(key, 9, 1), largest: internalKey(key, 1, 1) });
  const files = database({
    tables: [
      { bytes, ...bounds("key100") },
      { bytes, ...bounds("key105") },
    ],
  });
  const engine = await openFiles(new MemoryFiles(files, true));
  const [first, second] = ["key100", "key105"].map((key) => new TextEncoder().encode(key));
  await expect(engine.getMany("a", [second as Uint8Array])).rejects.toThrow("000011.sst");
  return { engine, keys: [first as Uint8Array, second as Uint8Array] };
}

describe("two damaged tables, one of which must be waited for", () => {
  const unheard: unknown[] = [];
  const listen = (error: unknown) => void unheard.push(error);
  beforeEach(() => void process.on("unhandledRejection", listen));
  afterEach(() => void process.off("unhandledRejection", listen));

  it.each(["getMany", "a scan", "a scan backward"])("are one failure of %s", async (way) => {
    const { engine, keys } = await openDamaged();
    const reading =
      way === "getMany"
        ? engine.getMany("a", keys)
        : engine
            .scan("a", {}, { reverse: way === "a scan backward" })
            .chunks()
            .next();
    await expect(reading).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
    await new Promise((resolve) => setImmediate(resolve));
    await engine.close();
    expect(unheard).toEqual([]);
  });
});

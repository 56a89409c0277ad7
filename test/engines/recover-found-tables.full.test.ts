/** Recoveries of tables whose blocks are found one after another, because their places are unknown. */
import { describe, expect, it } from "vitest";
import { concatAll } from "../../src/bytes/concat.js";
import { internalKey, u32 } from "./files/fuzz/byte-writer.js";
import { database } from "./files/fuzz/databases.js";
import { block, table, xxh3 } from "./files/fuzz/tables.js";
import { MemoryFiles } from "./files/memory-files.js";
import { recovered, sum } from "./recovered.js";

/** A recovery of a database with this table. */
const ofTable = (bytes: Uint8Array) => recovered(new MemoryFiles(database({ tables: [{ bytes }] }), true));

const FOOTER = 53;

describe("a recovery of a table without its footer", () => {
  it("has the rows of a block whose keys begin anew after a thousand, and whose values look like places", async () => {
    const shared = 2000;
    const first = { key: internalKey(`key1${"k".repeat(shared - 4)}000`, 5, 1), value: Uint8Array.of(1, 1) };
    const others = Array.from({ length: 999 }, (_, at) => ({
      key: internalKey(String(at + 1).padStart(3, "0"), 5, 1),
      value: Uint8Array.of(1, 1),
      shared,
    }));
    const bytes = table({ data: [{ contents: block([first, ...others]) }] });
    expect(sum((await ofTable(bytes.subarray(0, bytes.length - FOOTER))).counts)).toBe(1000);
  });

  it("reports each damaged place, however many somebody put there", async () => {
    const short = concatAll([block([{ key: "x", value: "" }]), Uint8Array.of(0)]);
    const checksum = xxh3?.(short, 0, short.length) as number;
    const piece = concatAll([short, u32(checksum), Uint8Array.of(0xff)]);
    const count = 130_000;
    const { counts, findings } = await ofTable(concatAll(new Array<Uint8Array>(count).fill(piece)));
    expect(sum(counts)).toBe(0);
    expect(findings.filter(({ message }) => message.startsWith("rows are left out"))).toHaveLength(count);
  });
});

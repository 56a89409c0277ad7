/** Recoveries of tables whose blocks are found one after another, because their places are unknown. */
import { describe, expect, it } from "vitest";
import { concatAll } from "../../src/bytes/concat.js";
import { readRecovered } from "../../src/engines/files/recover/recovered.js";
import type { RecoveryFinding } from "../../src/engines/index.js";
import { internalKey, u32 } from "./files/fuzz/byte-writer.js";
import { database } from "./files/fuzz/databases.js";
import { block, table, xxh3 } from "./files/fuzz/tables.js";
import { MemoryFiles } from "./files/memory-files.js";

/** The findings of a recovery of a database with this table, and the number of its rows. */
async function recovered(bytes: Uint8Array) {
  const findings: RecoveryFinding[] = [];
  const found = await readRecovered(new MemoryFiles(database({ tables: [{ bytes }] }), true), {
    onFinding: (finding) => findings.push(finding),
    onRead: () => undefined,
    settled: () => undefined,
    writers: [],
  });
  let rows = 0;
  for (const column of found.columns) for await (const chunk of found.rows(column)) rows += chunk.length;
  return { rows, findings };
}

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
    expect((await recovered(bytes.subarray(0, bytes.length - FOOTER))).rows).toBe(1000);
  });

  it("reports each damaged place, however many somebody put there", async () => {
    const short = concatAll([block([{ key: "x", value: "" }]), Uint8Array.of(0)]);
    const sum = xxh3?.(short, 0, short.length) as number;
    const piece = concatAll([short, u32(sum), Uint8Array.of(0xff)]);
    const count = 130_000;
    const { rows, findings } = await recovered(concatAll(new Array<Uint8Array>(count).fill(piece)));
    expect(rows).toBe(0);
    expect(findings.filter(({ message }) => message.startsWith("rows are left out"))).toHaveLength(count);
  });
});

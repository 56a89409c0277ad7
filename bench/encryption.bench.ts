import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/index.js";
import type { Store } from "../src/store/index.js";
import { rewriteDatabase } from "../src/transfer/index.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";

const masterKey = new Uint8Array(48).fill(0x42);

async function scanRaw(store: Store, keysOnly: boolean): Promise<number> {
  let rows = 0;
  for (const column of store.columns)
    for await (const chunk of store.raw.scan(column, undefined, { keysOnly }).chunks()) rows += chunk.length;
  return rows;
}

async function scanTyped(store: Store): Promise<number> {
  let rows = 0;
  for (const row of store.schema.rows)
    for await (const chunk of store
      .table(row.key as never)
      .scan()
      .chunks())
      rows += chunk.length;
  return rows;
}

export default {
  name: "encryption",
  asks: "How fast is a scan of an encrypted database, raw, typed and of keys?",
  against: "the same scan of the same rows, not encrypted",
  wanted: "≥ 0.3, ≥ 0.3, 1.0",
  async *answer({ options, database }) {
    const { path } = await database();
    const folder = mkdtempSync(join(tmpdir(), "merostore-bench-"));
    try {
      const encryptedPath = join(folder, "encrypted");
      await rewriteDatabase(path, encryptedPath, { newMasterKey: masterKey, encryptionRule: "core-0.11" });
      const plainPath = join(folder, "plain");
      await rewriteDatabase(encryptedPath, plainPath, { masterKey });
      await using encrypted = await openStore(encryptedPath, { masterKey });
      await using plain = await openStore(plainPath);
      for (const [what, wanted, scan] of [
        ["scan of all values, decrypted", "≥ 0.3", (store: Store) => scanRaw(store, false)],
        ["typed scan of all rows, decrypted", "≥ 0.3", scanTyped],
        ["scan of all keys of an encrypted database", "1.0", (store: Store) => scanRaw(store, true)],
      ] as const) {
        const sides = [
          { name: "encrypted", run: () => scan(encrypted as unknown as Store) },
          { name: "unencrypted", run: () => scan(plain as unknown as Store) },
        ];
        const runs = options.runs;
        const [of, against] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
        yield rateLine(of, against, { what, unit: "rows", runs, wanted });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
} satisfies Question;

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { blobFolder, putBlob, readBlob } from "../src/blobs/index.js";
import { fromHex } from "../src/bytes/hex.js";
import { writeOut } from "../src/cli/output/out-file.js";
import { core011 } from "../src/schemas/index.js";
import { openStore } from "../src/store/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";

const MIB = 1024 * 1024;
const CHUNKS = 256;

export default {
  name: "blobs",
  asks: "How fast is the content of a blob read, each chunk checked, and how fast is it written to a synced file?",
  against: "SHA-256 of the same bytes in memory",
  wanted: "≥ 0.8",
  async *answer({ options }) {
    const runs = Math.min(options.runs, 7);
    const place = mkdtempSync(join(tmpdir(), "merostore-bench-blobs-"));
    try {
      mkdirSync(join(place, "blobs"));
      await using store = await openStore(join(place, "data"), { create: true, schema: core011 });
      const folder = await blobFolder(join(place, "blobs"));
      const { blobId } = await putBlob(store, folder, contents());
      const id = fromHex(blobId);
      // One chunk again and again: all in memory would make every collection of garbage in the other side longer.
      const chunk = new Uint8Array(MIB).fill(1);
      const hash = {
        name: "SHA-256",
        run: () => {
          const all = createHash("sha256");
          for (let at = 0; at < CHUNKS; at++) all.update(chunk);
          keep(all.digest()[0] ?? 0);
          return CHUNKS;
        },
      };
      const read = async (): Promise<number> => {
        for await (const chunk of readBlob(store, folder, id, { reuse: true })) keep(chunk[0] ?? 0);
        return CHUNKS;
      };
      const written = async (): Promise<number> => {
        await writeOut(join(place, "out"), [
          Readable.from(readBlob(store, folder, id), { objectMode: false }),
        ]);
        return CHUNKS;
      };
      const ask = async (name: string, run: () => Promise<number>): Promise<[Measured, Measured]> =>
        (await interleave([{ name, run }, hash], { runs, warmUps: 1 })) as [Measured, Measured];
      const what = `a blob of ${CHUNKS} MiB`;
      yield rateLine(...(await ask("blobs get", read)), { what, unit: "MiB", runs, wanted: "≥ 0.8" });
      yield rateLine(...(await ask("blobs get", written)), {
        what: `${what} to a synced file`,
        unit: "MiB",
        runs,
      });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
} satisfies Question;

async function* contents(): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < CHUNKS; at++) yield new Uint8Array(MIB).fill(at);
}

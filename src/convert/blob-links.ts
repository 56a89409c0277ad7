/** Counts of the links to each blob in other blobs. */
import { grown } from "../bytes/bytes.js";
import { ID_BYTES, IdTable } from "../bytes/id-table.js";
import { ReadFailure } from "../codec/index.js";
import type { EngineReader } from "../engines/index.js";
import { BlobMeta } from "../keys/index.js";
import { BlobMetaValue010 } from "../values/index.js";

const MOST = 0xffff_ffff;

/** Counts the links of all blobs. Memory: about 90 bytes for each blob that is linked. */
export async function countBlobLinks(source: EngineReader): Promise<(id: Uint8Array) => number> {
  const ids = new IdTable();
  let counts = new Uint32Array(64);
  if (!source.columns.includes(BlobMeta.COLUMN)) return () => 0;
  for await (const chunk of source.scan(BlobMeta.COLUMN).chunks()) {
    for (const { value } of chunk) {
      const blob = BlobMetaValue010.readWhole(value);
      if (blob instanceof ReadFailure) continue;
      for (const link of blob.links) {
        const at = ids.add(link);
        if (at >= counts.length) counts = grown(counts, new Uint32Array(2 * counts.length));
        counts[at] = Math.min(MOST, (counts[at] as number) + 1);
      }
    }
  }
  return (id) => {
    const at = id.length === ID_BYTES ? ids.find(id) : -1;
    return at < 0 ? 0 : (counts[at] as number);
  };
}

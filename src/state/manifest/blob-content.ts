/** The content of a blob: the files of its chunks, one after another. */
import { concatAll } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import { MerostoreError } from "../../errors.js";
import { firstValue, type NodeReader } from "../../node/tables/rows.js";
import type { BlobFiles } from "../../verify/index.js";

/** Levels of blobs within blobs, as nodes read them. Nodes write two. */
const DEEPEST = 64;
/** Rows that are read for one blob, each as often as it is linked. */
const MOST_ROWS = 10_000;
/** Bytes of a blob that is read: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Whether the database has a row of a blob: then the node has the blob, or had it. */
export async function hasBlob(reader: NodeReader, blobId: Uint8Array): Promise<boolean> {
  return (await firstValue(reader, "BlobMeta", { blobId })) !== undefined;
}

/**
 * The content of a blob, with the hash of each chunk checked.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if a row or a file is missing or has other content, or the blob is larger than
 * 512 MiB
 */
export async function blobContent(
  reader: NodeReader,
  blobs: BlobFiles,
  blobId: Uint8Array,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let rows = 0;
  const add = async (id: Uint8Array, above: readonly string[]): Promise<void> => {
    const hex = toHex(id);
    if (above.includes(hex) || above.length > DEEPEST) throw unusable(hex, "contains itself");
    rows += 1;
    if (rows > MOST_ROWS) throw unusable(toHex(blobId), `has more than ${MOST_ROWS} chunks`);
    const row = await firstValue(reader, "BlobMeta", { blobId: id });
    if (row === undefined) throw unusable(hex, "has no row");
    for (const link of row.links) await add(link, [...above, hex]);
    if (row.links.length > 0 || row.size === 0n) return;
    const content = await blobs.read(id);
    if (content === undefined) throw unusable(hex, "has no file in the folder of blobs");
    if (!equalBytes(sha256(content), id)) throw unusable(hex, "has a file with other content");
    chunks.push(content);
    length += content.length;
    if (length > MOST_BYTES) throw unusable(toHex(blobId), `is larger than ${MOST_BYTES} bytes`);
  };
  await add(blobId, []);
  return concatAll(chunks);
}

function unusable(id: string, problem: string): MerostoreError {
  return new MerostoreError("ABI_NOT_FOUND", `blob ${id} ${problem}`);
}

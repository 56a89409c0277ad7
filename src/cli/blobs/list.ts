import { type BlobFolder, hidesChunks, readBlobTable, readBlobUses } from "../../blobs/index.js";
import { toBase58 } from "../../bytes/base58.js";
import { fromHex } from "../../bytes/hex.js";
import { jsonSize } from "../../bytes/quantity.js";
import { command } from "../arguments/command.js";
import { json, reading, tableLook } from "../arguments/options.js";
import { idText } from "../output/id-look.js";
import { printTable } from "../output/table.js";
import { printable } from "../output/text.js";
import { chunksNotKnown, folderOption, labelsOf, nameOf, withBlobRows } from "./open.js";

/** Prints the blobs of a node. */
export const list = command({
  words: "list <db>",
  description: "list blobs with names, sizes and missing files",
  options: { blobs: folderOption, ...reading, ...tableLook, json },
  help: `Lists the blobs that no other blob links, with the applications, groups and contexts that name them, and the missing
ones that something names. It does not read the files; "blobs check" does. Without their folder, "missing" counts only
chunks without a row, and is null in JSON if there are none; for core-1.0 it is null, because ids of chunks are not known.

Examples:
  merostore blobs list node/data
  merostore blobs list node/data --json | jq -r .blobId`,

  async run(terminal, { db }, options) {
    return withBlobRows(terminal, db, options, async ({ store, folder }) => {
      const blobs = await readBlobTable(store);
      const uses = await readBlobUses(store);
      const files = folder && (await namesIn(folder));
      const hidden = hidesChunks(store.schema);
      if (hidden) terminal.remark(chunksNotKnown(store));
      const absent = [...uses.keys()].filter((id) => !blobs.rows.has(id));
      const lines = [];
      for (const id of [...blobs.roots(), ...absent].sort()) {
        const row = blobs.rows.get(id);
        const chunks = row?.links ?? [];
        const missing = chunks.filter(
          (link) => !blobs.rows.has(link) || (blobs.isChunk(link) && files?.has(fileName(link)) === false),
        ).length;
        lines.push({
          blobId: id,
          size: row === undefined ? null : jsonSize(row.size),
          chunks: chunks.length,
          refs: row?.refs ?? null,
          missing: row === undefined || hidden || (files === undefined && missing === 0) ? null : missing,
          named: uses.get(id) ?? [],
        });
      }
      if (options.json) {
        for (const line of lines) await terminal.json(line);
        return 0;
      }
      if (lines.length === 0) terminal.remark("the database has no blobs");
      else {
        const label = await labelsOf(terminal, store);
        const cells = lines.map(({ blobId, size: bytes, chunks, missing, named }) => [
          idText(blobId, terminal.ids),
          bytes === null ? "" : terminal.sizeCell(Number(bytes)),
          bytes === null ? "" : chunks,
          bytes === null ? "not here" : missing === 0 || missing === null ? "" : `${missing} missing`,
          printable(nameOf(uses.get(blobId), label) || (named.length === 0 ? "nothing names it" : "")),
        ]);
        const head = ["blob", "size", "chunks", terminal.form === "csv" ? "missing" : "", "named"];
        await printTable(terminal, [head, ...cells], { right: [1, 2], wrap: [4] });
      }
      return 0;
    });
  },
});

async function namesIn(folder: BlobFolder): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { name } of folder.entries()) names.add(name);
  return names;
}

function fileName(id: string): string {
  return toBase58(fromHex(id));
}

import {
  type BlobFolder,
  type BlobTable,
  hidesChunks,
  readBlobTable,
  readBlobUses,
} from "../../blobs/index.js";
import { toHex } from "../../bytes/hex.js";
import { count, jsonSize, size } from "../../bytes/quantity.js";
import { MerostoreError } from "../../errors.js";
import { command } from "../arguments/command.js";
import { json, reading, tableLook } from "../arguments/options.js";
import { idText } from "../output/id-look.js";
import { printTable } from "../output/table.js";
import { printable } from "../output/text.js";
import { blobOf, chunksNotKnown, folderOption, labelsOf, withBlobRows } from "./open.js";

/** Prints the known facts about one blob. */
export const show = command({
  words: "show <db> <blob>",
  description: "describe one blob: size, hash, chunks, counts, references",
  options: { blobs: folderOption, ...reading, bytes: tableLook.bytes, json },
  help: `A blob is given by its id, at least four first digits of it, or the application whose code it is: PACKAGE,
PACKAGE@VERSION, or PACKAGE@VERSION:SERVICE.

Examples:
  merostore blobs show node/data a9a69aea69ea9f4ecee25e5b4151433b9571d426c81d33a1a5f5724a7161a24c
  merostore blobs show node/data a9a69aea69ea9f4ecee25e5b4151433b9571d426c81d33a1a5f5724a7161a24c --json

Without the folder of files it does not say whether they are there. Status 1 if the blob does not exist.`,

  async run(terminal, { db, blob }, options) {
    return withBlobRows(terminal, db, options, async ({ store, folder }) => {
      const id = toHex(await blobOf(store, blob));
      const blobs = await readBlobTable(store);
      const row = blobs.rows.get(id);
      const named = (await readBlobUses(store)).get(id) ?? [];
      if (row === undefined) throw new MerostoreError("BLOB_NOT_FOUND", `blob ${id} does not exist`);
      const sizes = folder && (await sizesIn(folder));
      const hidden = hidesChunks(store.schema);
      if (hidden) terminal.remark(chunksNotKnown(store));
      const chunks = (row.links.length === 0 && row.size > 0n ? [id] : row.links).map((link) => ({
        blobId: link,
        size: jsonSize(blobs.rows.get(link)?.size ?? 0n),
        refs: blobs.rows.get(link)?.refs ?? null,
        state: hidden ? "not known" : stateOf(link, blobs, sizes),
      }));
      const { size: bytes, hash, refs = null } = row;
      const parents = blobs.parentsOf(id);
      if (options.json) {
        await terminal.json({ blobId: id, size: jsonSize(bytes), hash, refs, parts: parents, named, chunks });
        return 0;
      }
      const whole = { ...terminal.ids, whole: true };
      const label = await labelsOf(terminal, store);
      const head: (readonly [string, string])[] = [
        ["blob", idText(id, whole)],
        ["size", `${size(Number(bytes))} (${count(bytes)})`],
        ["SHA-256", idText(hash, whole)],
        ...(refs === null ? [] : [["added", refs === 1 ? "once" : `${count(refs)} times`] as const]),
        ...parents.map((parent) => ["part of", idText(parent, whole)] as const),
        ...named.map(({ kind, id: of, role, package: name, version }): readonly [string, string] => [
          "named",
          printable(
            `${role}: ${kind} ${label(of)}${name === undefined ? "" : ` (${name}${version === undefined ? "" : ` ${version}`})`}`,
          ),
        ]),
      ];
      await terminal.fields(head);
      await terminal.line("");
      const cells = chunks.map((chunk) => [
        idText(chunk.blobId, terminal.ids),
        terminal.sizeCell(Number(chunk.size)),
        chunk.state,
      ]);
      await printTable(terminal, [["chunk", "size", ""], ...cells], { right: [1], cut: [0] });
      return 0;
    });
  },
});

/** The sizes of the files of chunks, by id. */
async function sizesIn(folder: BlobFolder): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { blobId, size: bytes } of folder.entries())
    if (blobId !== undefined) sizes.set(toHex(blobId), bytes);
  return sizes;
}

/** The state of a chunk; without the sizes of files, only whether it has a row. */
function stateOf(id: string, blobs: BlobTable, sizes: ReadonlyMap<string, number> | undefined): string {
  const row = blobs.rows.get(id);
  if (row === undefined) return "no row";
  if (!blobs.isChunk(id)) return "there";
  if (sizes === undefined) return "not looked for";
  const found = sizes.get(id);
  if (found === undefined) return "no file";
  return found === jsonSize(row.size) ? "there" : "the file has another size";
}

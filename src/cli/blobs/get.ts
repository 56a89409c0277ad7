import { Readable } from "node:stream";
import { readBlob } from "../../blobs/index.js";
import { size } from "../../bytes/quantity.js";
import { command } from "../arguments/command.js";
import { out, reading } from "../arguments/options.js";
import { checkOut, writeOut } from "../output/out-file.js";
import { blobOf, folderOption, withBlobs } from "./open.js";

/** Writes the content of a blob. */
export const get = command({
  words: "get <db> <blob>",
  description: "print the content of a blob, and check each chunk",
  options: { out, blobs: folderOption, ...reading },
  help: `Examples:
  merostore blobs get node/data a9a69aea69ea9f4ecee25e5b4151433b9571d426c81d33a1a5f5724a7161a24c -o app.wasm
  merostore blobs get node/data a9a69aea69ea9f4ecee25e5b4151433b9571d426c81d33a1a5f5724a7161a24c | sha256sum

A chunk is checked against its id before it is written. With --out the file gets its name when it is complete; stdout may
have the chunks before a broken one. Status 1 and BLOB_NOT_FOUND if the blob does not exist, BLOB_BROKEN if a row or file is
missing or wrong.`,

  async run(terminal, { db, blob }, options) {
    if (options.out !== undefined) checkOut(options.out);
    return withBlobs(terminal, db, options, async ({ store, folder }) => {
      const id = await blobOf(store, blob);
      if (options.out === undefined) {
        for await (const chunk of readBlob(store, folder, id, { reuse: true })) await terminal.bytes(chunk);
        return 0;
      }
      const content = readBlob(store, folder, id);
      using progress = terminal.progress("blobs get");
      let bytes = 0;
      const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
        for await (const chunk of content) {
          bytes += chunk.length;
          progress.show({ done: bytes, unit: "bytes" });
          yield chunk;
        }
      };
      await writeOut(options.out, [Readable.from(counted(), { objectMode: false })]);
      terminal.remark(`${size(bytes)} written to ${options.out}`);
      return 0;
    });
  },
});

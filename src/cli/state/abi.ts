import { statSync } from "node:fs";
import { fromHex } from "../../bytes/hex.js";
import { invalidArgument, orUndefined } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import { manifestToJson } from "../../state/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { text } from "../arguments/option-kinds.js";
import { json, reading } from "../arguments/options.js";
import { openDatabase } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import {
  isFile,
  manifestFor,
  manifestInFile,
  manifestOptions,
  refuseNoFile,
  type UsedManifest,
} from "./manifest-file.js";
import { manifestLines } from "./manifest-lines.js";

/** Files of manifests, which a person may type in the place of a context. */
const FILE = /\.(wasm|mpk|json)$/;

function isFolder(path: string): boolean {
  // It throws for a text that is too long for a path, for example.
  return orUndefined(() => statSync(path))?.isDirectory() === true;
}

/** Prints the manifest of an application's interface. */
export const abi = command({
  words: "abi <db> [context]",
  description: "show the interface of an application: types of its state, methods, events",
  usage: "[options] DB CONTEXT\n       merostore abi [options] FILE",
  options: {
    blobs: manifestOptions.blobs,
    service: text("<name>", "of a bundle with several services"),
    ...reading,
    json,
  },
  help: `A file is a WebAssembly module, a bundle (.mpk) or the JSON of a manifest. A context is given by its name, its id, or at
least four first digits of its id; its manifest is in the blob of the code that it runs. Only builds with "cargo mero
build" write it into the module. Integers below 32 bits appear as u32 and i32: manifests do not have more.

Examples:
  merostore abi kv_store.wasm
  merostore abi node/data lobby --blobs node/blobs
  merostore abi kv_store.mpk --json > kv_store.json

Status 2 if the file or the code of the context has no manifest.`,

  async run(terminal, { db, context }, options) {
    // The database may be the default one, in front of the file that was typed.
    const file =
      context === undefined
        ? isFile(db)
          ? db
          : undefined
        : FILE.test(context) && isFile(context)
          ? context
          : undefined;
    if (file === undefined && options.service !== undefined)
      throw invalidArgument("--service goes with a file: a context runs one service");
    if (file !== undefined && options.blobs !== undefined)
      throw invalidArgument("--blobs goes with a context: a file has its own manifest");
    if (file !== undefined)
      return print(terminal, { manifest: await manifestInFile(file, options.service) }, options);
    if (context === undefined) {
      if (!isFolder(db)) refuseNoFile(db);
      throw invalidArgument(`${db} is a folder: name a context of the database too, or a file alone`);
    }
    await using store = await openDatabase(terminal, db, options);
    const { id } = await new CalimeroNode(store).resolve(context, ["context"]);
    return await print(terminal, await manifestFor(terminal, { db, store }, fromHex(id), options), options);
  },
});

async function print(
  terminal: Terminal,
  { manifest, blob, service }: UsedManifest,
  options: { readonly json: boolean },
): Promise<ExitStatus> {
  if (options.json) {
    await terminal.json(manifestToJson(manifest));
    return 0;
  }
  await terminal.fields([
    ["blob", blob],
    ["service", service && printable(service)],
    ["manifest", manifest.schemaVersion],
    ["state", manifest.stateRoot === undefined ? "none" : printable(manifest.stateRoot)],
    ["state version", String(manifest.stateVersion)],
    [
      "migrations",
      manifest.migrations
        .map(({ method, fromVersion }) => `${printable(method)} from ${fromVersion}`)
        .join(", ") || undefined,
    ],
  ]);
  await terminal.lines(manifestLines(manifest, terminal.width));
  return 0;
}

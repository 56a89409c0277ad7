/** The files that examples name: databases of real nodes, exports of them, a Ledger repository. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { exportEntries, openLedger } from "../../packages/ledger/src/index.js";
import { blobFolder, putBlob } from "../../src/blobs/index.js";
import { openStore } from "../../src/store/index.js";
import { rewriteDatabase } from "../../src/transfer/index.js";
import { bundleOf } from "../support/bundles.js";
import { addCode, KV_STORE, kvStoreModule } from "../support/code.js";
import { root } from "./examples.js";

const node = (name: string) => join(root, "fixtures/core-0.11", name, "db");

/** Adds a blob that nothing names. */
async function addPhoto(database: string, folder: string, content: Uint8Array): Promise<void> {
  await using store = await openStore(database, { writable: true });
  await putBlob(store, await blobFolder(folder), Readable.from([content]));
}

/** Makes a folder for examples; every example gets a copy of it. */
export async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "merostore-examples-"));
  const at = (name: string) => join(folder, name);
  for (const [name, database] of [
    ["node/data", "node-a"],
    ["node-a/data", "node-a"],
    ["node-a/db", "node-a"],
    ["node-b/data", "node-b"],
    ["node-c/data", "node-c"],
  ] as const)
    cpSync(node(database), at(name), { recursive: true });
  // The code of the bundled nodes is not in the repository.
  await addCode(at("node/data"), at("node/blobs"), kvStoreModule());
  writeFileSync(at("kv_store.wasm"), kvStoreModule());
  writeFileSync(at("kv_store.json"), readFileSync(KV_STORE));
  const list = JSON.stringify({ wasm: { path: "app.wasm" } });
  writeFileSync(at("kv_store.mpk"), bundleOf({ "manifest.json": list, "app.wasm": kvStoreModule() }));
  mkdirSync(at("notes"));
  writeFileSync(at("notes/today.txt"), "Paris\n");
  writeFileSync(at("photo.jpg"), Buffer.alloc(50_000, "photo"));
  await addPhoto(at("node/data"), at("node/blobs"), readFileSync(at("photo.jpg")));
  cpSync(at("node"), at("node-home"), { recursive: true });
  writeFileSync(at("node-home/config.toml"), '[datastore]\npath = "data"\n\n[blobstore]\npath = "blobs"\n');
  const main = join(root, "dist/cli/merostore.js");
  for (const [out, ...options] of [
    ["node.ndjson", "--reveal-secrets"],
    ["node.ndjson.gz", "--reveal-secrets", "--gzip"],
    ["yesterday.ndjson.gz", "--gzip", "--without-secrets"],
    ["groups.ndjson", "--column", "Group", "--reveal-secrets"],
  ] as const) {
    const words = [main, "export", at("node/data"), "-o", at(out), ...options];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }
  for (const [name, byte] of [
    ["node.key", "42"],
    ["new.key", "43"],
  ] as const)
    writeFileSync(at(name), byte.repeat(48));
  await rewriteDatabase(at("node/data"), at("encrypted/data"), { newMasterKey: Buffer.alloc(48, 0x42) });
  await makeRepository(at("data"));
  // The files of a checkout.
  cpSync(join(root, "package.json"), at("package.json"));
  for (const name of ["fixtures", "dist"]) symlinkSync(join(root, name), at(name));
  mkdirSync(at("node_modules"));
  symlinkSync(root, at("node_modules/merostore"));
  symlinkSync(join(root, "packages/ledger"), at("node_modules/merostore-ledger"));
  symlinkSync(join(root, "node_modules/@types"), at("node_modules/@types"));
  writePrograms(at("bin"));
  return folder;
}

/** A ledger with the entries that examples name, and a second page beside the root page. */
async function makeRepository(folder: string): Promise<void> {
  await using ledger = await openLedger(folder, { name: "contacts" });
  await using page = await ledger.rootPage();
  await page.put("name", "Carol");
  await page.put("contact/alice", "Alice");
  await page.put("photo", readFileSync(join(folder, "../photo.jpg")));
  await using other = await ledger.page("00112233445566778899aabbccddeeff", { create: true });
  await other.put("note", "Paris");
  await using snapshot = await page.snapshot();
  const content: Uint8Array[] = [];
  for await (const chunk of exportEntries(snapshot)) content.push(chunk);
  writeFileSync(join(folder, "../contacts.page"), Buffer.concat(content));
}

/** Writes the programs that examples run beside programs of the system. */
function writePrograms(folder: string): void {
  mkdirSync(folder);
  const main = join(root, "dist/cli/merostore.js");
  const script = (text: string) => `#!/bin/sh\n${text}\n`;
  const run = `"${process.execPath}" "${main}" "$@"`;
  // A reader ends these commands with Ctrl-C, which their output mentions.
  const untilStopped = [
    `${run} 2>"$0.$$" & pid=$!`,
    'while kill -0 $pid 2>/dev/null && ! grep -q Ctrl-C "$0.$$"; do sleep 0.1; done',
    'kill -INT $pid; wait $pid; status=$?; cat "$0.$$" >&2; exit $status',
  ].join("; ");
  const all = `case "$1 $2" in "watch "*|"explore "*|"ledger serve") ${untilStopped};; esac\nexec ${run}`;
  // Examples run it from the PATH, from the folder "bin" of a checkout, and by npx.
  for (const [name, text] of [
    ["merostore", all],
    ["merostore.js", all],
    ["npx", `shift\n${all}`],
  ] as const)
    writeFileSync(join(folder, name), script(text), { mode: 0o755 });
  // The package is installed and built, or the tests could not run.
  writeFileSync(join(folder, "npm"), script("exit 0"), { mode: 0o755 });
}

/** A copy of the template. */
export function copyOf(template: string): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "merostore-example-"));
  for (const name of readdirSync(template))
    cpSync(join(template, name), join(path, name), { recursive: true, verbatimSymlinks: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

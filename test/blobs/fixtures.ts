/** Nodes with blobs: copies of the fixtures that real nodes wrote. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BlobFolder, blobFolder } from "../../src/blobs/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

export const NODES = { "core-0.10": "core-0.10/log-and-tables", "core-0.11": "core-0.11/log" } as const;

export interface NodeCopy extends AsyncDisposable {
  readonly home: string;
  readonly data: string;
  readonly blobs: string;
  readonly folder: BlobFolder;
  readonly store: Store;
}

/** A copy of a node that is open for writing. `data` and `blobs` are in a home with a configuration. */
export async function copyOfNode(revision: keyof typeof NODES = "core-0.11"): Promise<NodeCopy> {
  const temporary = temporaryFolder();
  const home = join(temporary.path, "node");
  const [data, blobs] = [join(home, "data"), join(home, "blobs")];
  cpSync(fixturePath(NODES[revision], "db"), data, { recursive: true });
  cpSync(fixturePath(NODES[revision], "blobs"), blobs, { recursive: true });
  writeFileSync(join(home, "config.toml"), CONFIG);
  const store = await openStore(data, { writable: true });
  return {
    home,
    data,
    blobs,
    store,
    folder: await blobFolder(blobs),
    async [Symbol.asyncDispose]() {
      await store.close();
      temporary[Symbol.dispose]();
    },
  };
}

/** Writes the row of a blob, in place of one that is there. */
export async function putRow({ store }: NodeCopy, key: Uint8Array, row: object): Promise<void> {
  const value = store.schema.row("BlobMeta").value.encode({ links: [], refs: 1, ...row } as never);
  await store.raw.write([{ type: "put", column: "Blobs", key, value }]);
}

export const KEYPAIR = "23jhTbXRXh1RPMwzN2B7GNXZDiDtrkdhWi";

export const CONFIG = `mode = "standard"

[identity]
peer_id = "12D3KooWPeer"
keypair = "${KEYPAIR}"

[datastore]
path = "data"

[blobstore]
path = "blobs"
`;

/** Content in pieces of a size. */
export async function* inPieces(content: Uint8Array, size = 70_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

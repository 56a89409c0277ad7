/** The manifest of a context: from its rows to the blob, and from the blob's files to the manifest. */
import { beforeEach, describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { sha256 } from "../../../src/crypto/index.js";
import { blobRootId, CHUNK_SIZE } from "../../../src/digests/index.js";
import {
  ApplicationMeta,
  BlobMeta,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextGroupRef,
  ContextMeta,
  GroupMeta,
} from "../../../src/keys/index.js";
import { type Core010, type Core011, core010, core011 } from "../../../src/schemas/index.js";
import { contextCode, findManifest } from "../../../src/state/manifest/find.js";
import type { Store } from "../../../src/store/index.js";
import { bundleOf, customSection, manifestNamed, wasmOf, wasmWith } from "../../support/bundles.js";
import { rejection } from "../../support/rejection.js";
import { edit, inMemory, nobody } from "../../verify/altered.js";

/** The context "lobby" of node-a of core-0.11, and one of node-a of core-0.10. */
const LOBBY = fromHex("b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443");
const OF_010 = fromHex("1e75c0223bef11024ac66f3ce2da826d1bd2219ef1f2cc2a6609fb10321bcf45");

/** The files of blobs, as in a folder. */
class Files {
  readonly files = new Map<string, Uint8Array>();
  async read(id: Uint8Array): Promise<Uint8Array | undefined> {
    return this.files.get(toHex(id));
  }
}

let blobs: Files;
beforeEach(() => {
  blobs = new Files();
});

/** Adds a blob as a node does: a file and a row for each chunk, and a row for the whole. */
async function addBlob(store: Store<Core011>, content: Uint8Array): Promise<Uint8Array> {
  const links: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += CHUNK_SIZE) {
    const chunk = Uint8Array.from(content.subarray(at, at + CHUNK_SIZE));
    const id = sha256(chunk);
    blobs.files.set(toHex(id), chunk);
    links.push(id);
    await store.put(new BlobMeta({ blobId: id }), {
      size: BigInt(chunk.length),
      hash: id,
      links: [],
      refs: 1,
    });
  }
  const root = blobRootId(links);
  const size = BigInt(content.length);
  await store.put(new BlobMeta({ blobId: root }), { size, hash: sha256(content), links, refs: 1 });
  return root;
}

describe("in core-0.11", () => {
  let store: Store<Core011>;
  beforeEach(async () => {
    store = await inMemory("core-0.11/node-a", core011);
  });

  const activate = (blob: Uint8Array): Promise<void> =>
    store.put(new ContextActivatedBlob({ contextId: LOBBY }), { blob });

  it("refuses a path, and a folder of blobs that is not open yet", async () => {
    const folder = Promise.resolve(blobs);
    for (const wrong of [undefined, "blobs", {}, { blobs: "node/blobs" }, { blobs: folder }])
      await expect(findManifest(store, LOBBY, wrong as never)).rejects.toThrow("needs the files of blobs");
  });

  it("the activated code counts, then the group's, then the application's", async () => {
    const application = (await store.get(new ContextMeta({ contextId: LOBBY })))?.application ?? nobody;
    const applicationKey = new ApplicationMeta({ applicationId: application });
    const groupId = (await store.get(new ContextGroupRef({ contextId: LOBBY }))) ?? nobody;
    const [one, two, three] = [
      wasmWith(manifestNamed("One")),
      wasmWith(manifestNamed("Two")),
      wasmWith(manifestNamed("Three")),
    ];
    await activate(await addBlob(store, one));
    const appKey = await addBlob(store, two);
    await edit(store, new GroupMeta({ groupId }), () => ({ appKey }));
    const bytecode = await addBlob(store, three);
    await edit(store, applicationKey, () => ({ bytecode }));

    const rootOf = async () => (await findManifest(store, LOBBY, { blobs })).manifest.stateRoot;
    expect(await rootOf()).toBe("One");
    await store.delete(new ContextActivatedBlob({ contextId: LOBBY }));
    expect(await rootOf()).toBe("Two");
    await store.delete(new BlobMeta({ blobId: appKey }));
    expect(await rootOf()).toBe("Three");
    await store.delete(applicationKey);
    await rejection(rootOf(), "ABI_NOT_FOUND", "is not installed");
  });

  it("of three chunks is put together in their order", async () => {
    const padding = customSection("padding", Buffer.alloc(2 * CHUNK_SIZE, 7));
    const wasm = wasmOf(padding, customSection("calimero_abi_v1", JSON.stringify(manifestNamed("Large"))));
    const blob = await addBlob(store, wasm);
    await activate(blob);
    expect(await findManifest(store, LOBBY, { blobs })).toMatchObject({
      manifest: { stateRoot: "Large" },
      blob: toHex(blob),
      service: undefined,
      warnings: [],
    });
  });

  it("of a bundle is the manifest of the context's service", async () => {
    await edit(store, new ContextMeta({ contextId: LOBBY }), () => ({ serviceName: "chat" }));
    const list = {
      services: [
        { name: "files", wasm: { path: "files.wasm" } },
        { name: "chat", wasm: { path: "chat.wasm" } },
      ],
    };
    const bundle = bundleOf({
      "manifest.json": JSON.stringify(list),
      "files.wasm": wasmWith(manifestNamed("Files")),
      "chat.wasm": wasmWith(manifestNamed("Chat")),
    });
    await activate(await addBlob(store, bundle));
    expect(await findManifest(store, LOBBY, { blobs })).toMatchObject({
      manifest: { stateRoot: "Chat" },
      service: "chat",
    });
  });

  it("of another version of the state is found, with a warning", async () => {
    await activate(await addBlob(store, wasmWith(manifestNamed("V", 2))));
    const key = new ContextActivatedStateVersion({ contextId: LOBBY });
    await store.put(key, { stateVersion: 2 });
    expect((await findManifest(store, LOBBY, { blobs })).warnings).toEqual([]);
    await store.put(key, { stateVersion: 3 });
    expect((await findManifest(store, LOBBY, { blobs })).warnings).toEqual([
      {
        code: "STATE_VERSION_OTHER",
        message: "the manifest is of version 2 of the state, and the context has version 3",
      },
    ]);
    await store.delete(key);
    expect((await findManifest(store, LOBBY, { blobs })).warnings).toEqual([]);
  });

  it.each<[string, (blob: Uint8Array) => Promise<unknown>, string]>([
    ["has no row", (id) => store.delete(new BlobMeta({ blobId: id })), "has no row"],
    ["has no file", async () => blobs.files.clear(), "has no file in the folder of blobs"],
    [
      "has a file with other content",
      async () => {
        for (const key of blobs.files.keys()) blobs.files.set(key, wasmOf());
      },
      "has a file with other content",
    ],
    [
      "contains itself",
      (id) => store.put(new BlobMeta({ blobId: id }), { size: 1n, hash: id, links: [id], refs: 1 }),
      "contains itself",
    ],
    [
      "has too many chunks",
      async (id) => {
        let below = { size: 0n, hash: nobody, links: [] as Uint8Array[], refs: 1 };
        for (let level = 30; level > 0; level--) {
          const blobId = Uint8Array.from({ length: 32 }, () => level);
          await store.put(new BlobMeta({ blobId }), below);
          below = { ...below, links: [blobId, blobId] };
        }
        await store.put(new BlobMeta({ blobId: id }), below);
      },
      "has more than 1048576 parts that have no content",
    ],
  ])("of a blob that %s is not found", async (_, harm, message) => {
    const blob = await addBlob(store, wasmWith(manifestNamed("S")));
    await activate(blob);
    await harm(blob);
    await rejection(findManifest(store, LOBBY, { blobs }), "ABI_NOT_FOUND", message);
  });

  it("of a blob that holds anything else is not found, and the error names the blob", async () => {
    const blob = await addBlob(store, Buffer.from("anything"));
    await activate(blob);
    await expect(findManifest(store, LOBBY, { blobs })).rejects.toMatchObject({
      code: "ABI_INVALID",
      message: `blob ${toHex(blob)}: $: not JSON`,
    });
  });

  it("of a context that nobody joined is not found", async () => {
    await expect(contextCode(store, nobody)).rejects.toMatchObject({ code: "ABI_NOT_FOUND" });
  });

  it("of all contexts of the fixture is the code that three rows agree about", async () => {
    for await (const { key, value } of store.table(ContextMeta).scan()) {
      const { application } = value as { readonly application: Uint8Array };
      const meta = await store.get(new ApplicationMeta({ applicationId: application }));
      expect(await contextCode(store, key.contextId)).toEqual({ blob: meta?.bytecode, service: undefined });
    }
  });
});

describe("in node-b of core-0.11, which never got the code", () => {
  it("the error says so", async () => {
    const store = await inMemory("core-0.11/node-b", core011);
    const meta = await store.get(new ContextMeta({ contextId: LOBBY }));
    const { blob } = await contextCode(store, LOBBY);
    await rejection(
      findManifest(store, LOBBY, { blobs }),
      "ABI_NOT_FOUND",
      "has no file in the folder of blobs",
    );
    const application = await store.get(
      new ApplicationMeta({ applicationId: meta?.application as Uint8Array }),
    );
    expect([blob.length, blob]).toEqual([32, application?.bytecode]);
  });
});

describe("in core-0.10", () => {
  let store: Store<Core010>;
  beforeEach(async () => {
    store = await inMemory("core-0.10/node-a", core010);
  });

  /** Changes the row of the context's application. */
  async function change(fields: { bytecode: Uint8Array; size?: bigint; source?: string }) {
    const meta = await store.get(new ContextMeta({ contextId: OF_010 }));
    await edit(store, new ApplicationMeta({ applicationId: meta?.application ?? nobody }), () => fields);
  }

  it("the code of the application counts, whatever the group says", async () => {
    const content = wasmWith(manifestNamed("Old"));
    const leaf = sha256(content);
    const bytecode = blobRootId([leaf]);
    blobs.files.set(toHex(leaf), content);
    const size = BigInt(content.length);
    await store.put(new BlobMeta({ blobId: leaf }), { size, hash: leaf, links: [] });
    await store.put(new BlobMeta({ blobId: bytecode }), { size, hash: leaf, links: [leaf] });
    await change({ bytecode });
    expect(await findManifest(store, OF_010, { blobs })).toMatchObject({
      manifest: { stateRoot: "Old" },
      blob: toHex(bytecode),
      warnings: [],
    });
  });

  it("code that the node does not have yet is named as such", async () => {
    await change({ size: 0n, bytecode: nobody, source: "calimero://pending-blob-share" });
    await rejection(
      contextCode(store, OF_010),
      "ABI_NOT_FOUND",
      "does not have the code of the context's application yet",
    );
  });
});

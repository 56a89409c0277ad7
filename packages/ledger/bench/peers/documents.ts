/** Documents that merge: Yjs, Loro and Automerge. Each change is appended to a file, which is synced. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Entry, type OpenPeer, optional, type Peer } from "./peer.js";

/** A document with one map. */
interface Document {
  /** Puts entries in one transaction. */
  put(entries: readonly Entry[]): void;
  /** The changes since the last call. */
  update(): Uint8Array;
  apply(update: Uint8Array): void;
  entries(): Iterable<readonly [string, unknown]>;
  get(key: string): unknown;
}

/** A peer of a document. */
function documentPeer(make: () => Promise<() => Document>): OpenPeer {
  return async (folder): Promise<Peer> => {
    const create = await make();
    const document = create();
    const file = await open(join(folder, "updates"), "a");
    return {
      async put(entries) {
        document.put(entries);
        await file.appendFile(document.update());
        await file.datasync();
      },
      async scan() {
        const sorted = [...document.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
        return sorted.length;
      },
      get: async (key) => document.get(key),
      async sync(changes) {
        const [here, there] = [create(), create()];
        for (const entries of changes) here.put(entries);
        const update = here.update();
        there.apply(update);
        return update.length;
      },
      close: () => file.close(),
    };
  };
}

interface YMap {
  set(key: string, value: Uint8Array): void;
  get(key: string): unknown;
  entries(): Iterable<readonly [string, unknown]>;
}
interface Yjs {
  readonly Doc: new () => { getMap(name: string): YMap; transact(work: () => void): void };
  encodeStateAsUpdate(doc: object, from?: Uint8Array): Uint8Array;
  encodeStateVector(doc: object): Uint8Array;
  applyUpdate(doc: object, update: Uint8Array): void;
}

export const yjs = documentPeer(async () => {
  const { Doc, applyUpdate, encodeStateAsUpdate, encodeStateVector } = await optional<Yjs>("yjs");
  return () => {
    const doc = new Doc();
    const map = doc.getMap("entries");
    let known: Uint8Array | undefined;
    return {
      put: (entries) =>
        doc.transact(() => {
          for (const [key, value] of entries) map.set(key, value);
        }),
      update() {
        const update = encodeStateAsUpdate(doc, known);
        known = encodeStateVector(doc);
        return update;
      },
      apply: (update) => applyUpdate(doc, update),
      entries: () => map.entries(),
      get: (key) => map.get(key),
    };
  };
});

interface Loro {
  readonly LoroDoc: new () => {
    getMap(name: string): YMap;
    commit(): void;
    version(): object;
    export(mode: { readonly mode: "update"; readonly from?: object | undefined }): Uint8Array;
    import(update: Uint8Array): void;
  };
}

export const loro = documentPeer(async () => {
  const { LoroDoc } = await optional<Loro>("loro-crdt");
  return () => {
    const doc = new LoroDoc();
    const map = doc.getMap("entries");
    let known: object | undefined;
    return {
      put(entries) {
        for (const [key, value] of entries) map.set(key, value);
        doc.commit();
      },
      update() {
        const update = doc.export({ mode: "update", from: known });
        known = doc.version();
        return update;
      },
      apply: (update) => doc.import(update),
      entries: () => map.entries(),
      get: (key) => map.get(key),
    };
  };
});

type Values = Record<string, Uint8Array>;
interface Automerge {
  init(): Values;
  change(doc: Values, work: (doc: Values) => void): Values;
  saveIncremental(doc: Values): Uint8Array;
  loadIncremental(doc: Values, update: Uint8Array): Values;
}

export const automerge = documentPeer(async () => {
  const { change, init, loadIncremental, saveIncremental } =
    await optional<Automerge>("@automerge/automerge");
  return () => {
    let doc = init();
    return {
      put(entries) {
        doc = change(doc, (draft) => {
          for (const [key, value] of entries) draft[key] = value;
        });
      },
      update: () => saveIncremental(doc),
      apply(update) {
        doc = loadIncremental(doc, update);
      },
      entries: () => Object.entries(doc),
      get: (key) => doc[key],
    };
  };
});

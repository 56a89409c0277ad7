/** Records the root hashes of a running node, for `watch --record`. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { toHex } from "../../bytes/hex.js";
import { PRIVATE_FILE } from "../../disk/access.js";
import { parseRecord, type RecordedRoot } from "../../state/index.js";
import type { Change, Store } from "../../store/index.js";
import { checkOut } from "../output/out-file.js";

/** The recorded fields of a context's row. */
interface Meta {
  readonly rootHash: Uint8Array;
  readonly dagHeads: readonly Uint8Array[];
}

/** A file with a line for each new root hash. */
export class RootRecord {
  readonly #path: string;
  readonly #last = new Map<string, string>();

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Begins with the present root hashes. An existing record is continued, also after a cut line.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for another file
   */
  static async open(path: string, store: Store): Promise<RootRecord> {
    checkOut(path);
    const record = new RootRecord(path);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    parseRecord(text);
    appendFileSync(path, text === "" || text.endsWith("\n") ? "" : "\n", { mode: PRIVATE_FILE });
    await record.addAll(store);
    return record;
  }

  /** Adds the present root hashes of all contexts. */
  async addAll(store: Store): Promise<void> {
    for await (const { key, value } of store.table("ContextMeta").scan())
      if (value !== undefined) this.#add(key.bytes, value as Meta);
  }

  /** Adds the root hash that a change writes, if it writes one. */
  add(change: Change): void {
    if (change.type !== "put" || !("kind" in change) || change.kind !== "ContextMeta") return;
    if (change.value === undefined) return;
    this.#add(change.key.bytes, change.value as Meta);
  }

  /** @param contextId the key of the row */
  #add(contextId: Uint8Array, { rootHash, dagHeads }: Meta): void {
    const context = toHex(contextId);
    const root: RecordedRoot = { context, rootHash: toHex(rootHash), heads: dagHeads.map(toHex) };
    const text = JSON.stringify(root);
    if (this.#last.get(context) === text) return;
    this.#last.set(context, text);
    const line = JSON.stringify({ time: new Date().toISOString(), ...root });
    appendFileSync(this.#path, `${line}\n`);
  }
}

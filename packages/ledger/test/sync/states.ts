/** A cloud whose states of syncing a test sets. */
import { toHex } from "merostore/internal";
import type { Cloud, CloudConnection, SyncedPage, SyncState, SyncStates } from "../../src/index.js";

/** Short for a pair of states. */
export function states(download: SyncState, upload: SyncState): SyncStates {
  return { download, upload };
}

export class StatedCloud implements Cloud {
  /** By the hex digits of the page. */
  readonly #pages = new Map<string, { state: SyncStates; readonly listeners: Set<() => void> }>();

  async connect({ id }: SyncedPage): Promise<CloudConnection> {
    const page = { state: states("idle", "idle"), listeners: new Set<() => void>() };
    this.#pages.set(toHex(id), page);
    return {
      get state() {
        return page.state;
      },
      onState: (listener) => {
        page.listeners.add(listener);
        return () => page.listeners.delete(listener);
      },
      fetchPiece: () => Promise.reject(new Error("nothing")),
      close: async () => undefined,
    };
  }

  /** Sets the states of a page, and tells its listeners. */
  set(id: Uint8Array, download: SyncState, upload: SyncState): void {
    const page = this.#pages.get(toHex(id));
    if (page === undefined) throw new Error("the page is not open");
    page.state = states(download, upload);
    for (const listener of page.listeners) listener();
  }

  /** The number of listeners of a page. */
  listeners(id: Uint8Array): number {
    return this.#pages.get(toHex(id))?.listeners.size ?? 0;
  }
}

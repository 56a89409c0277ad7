/** The operations of a peer of the Ledger, for the table that compares them. */

/** A key and the bytes of its value. */
export type Entry = readonly [key: string, value: Uint8Array];

export interface Peer {
  /** Puts entries, synced to disk, as one change. */
  put(entries: readonly Entry[]): Promise<void>;
  /** Settles when all puts are on disk; absent if they are when they settle. */
  flush?(): Promise<void>;
  /** Reads all keys and values in the order of the keys. Returns how many there are. */
  scan(): Promise<number>;
  get(key: string): Promise<unknown>;
  /** Brings changes to another device, and returns the bytes that go there; absent if the peer syncs nothing. */
  sync?(changes: readonly (readonly Entry[])[]): Promise<number>;
  close(): Promise<void>;
}

/** Opens a peer in a folder. Rejects if its package is not installed. */
export type OpenPeer = (folder: string) => Promise<Peer>;

/** Imports a package that this repository does not install. The type says what is used of it. */
export async function optional<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

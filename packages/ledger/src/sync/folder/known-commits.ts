/** The files of commits that a page no longer needs to read: those of commits that it has. */
import type { SyncedPage } from "../cloud.js";

const encoder = new TextEncoder();

/** The names of files, each with the id of its commit. They are stored as metadata of the page. */
export class KnownCommits {
  readonly #page: SyncedPage;
  readonly #names = new Set<string>();

  constructor(page: SyncedPage) {
    this.#page = page;
  }

  /** Returns whether the page has the commit of a file. */
  async has(name: string): Promise<boolean> {
    if (this.#names.has(name)) return true;
    if ((await this.#page.metadata(encoder.encode(name))) === undefined) return false;
    this.#names.add(name);
    return true;
  }

  /** Remembers that the page has a commit, and that its file was whole. */
  async add(name: string, id: Uint8Array): Promise<void> {
    this.#names.add(name);
    await this.#page.setMetadata(encoder.encode(name), id);
  }

  /** Returns the id of the commit in a file; undefined if the page does not have it. */
  id(name: string): Promise<Uint8Array | undefined> {
    return this.#page.metadata(encoder.encode(name));
  }
}

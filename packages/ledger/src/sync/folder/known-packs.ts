/** The packs whose commits a page has, so that it need not read them again. They are stored as metadata of the page. */
import { concatAll, equalBytes } from "merostore/internal";
import { COMMIT_ID_SIZE } from "../../tables/commit-table.js";
import type { SyncedPage } from "../cloud.js";
import type { PackIndex } from "./pack-format.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

export class KnownPacks {
  readonly #page: SyncedPage;
  /** True or false for each name that was asked for: only `add` changes it. Most names in a folder of foreign files stay false. */
  readonly #isKnown = new Map<string, boolean>();

  constructor(page: SyncedPage) {
    this.#page = page;
  }

  /** Returns whether the page has the commits of a pack. */
  async has(name: string): Promise<boolean> {
    if (!this.#isKnown.has(name)) {
      const stored = await this.#page.metadata(encoder.encode(name));
      if (!this.#isKnown.has(name)) this.#isKnown.set(name, stored !== undefined);
    }
    return this.#isKnown.get(name) === true;
  }

  /** Remembers that the page has the commits of a pack, and so those of the packs that it replaces. */
  async add(
    name: string,
    ids: readonly Uint8Array[],
    { replaces }: Pick<PackIndex, "replaces">,
  ): Promise<void> {
    await this.#set(name, concatAll([...ids]));
    // The ids of those that are known stay: others may ask for such a pack still.
    for (const replaced of replaces) if (!(await this.has(replaced))) await this.#set(replaced, NOTHING);
  }

  /** The ids of the commits of a known pack; none of one that was replaced before this page read it. */
  async ids(name: string): Promise<Uint8Array[]> {
    const all = (await this.#page.metadata(encoder.encode(name))) ?? NOTHING;
    return Array.from({ length: all.length / COMMIT_ID_SIZE }, (_, at) =>
      all.subarray(at * COMMIT_ID_SIZE, (at + 1) * COMMIT_ID_SIZE),
    );
  }

  /** Returns whether a known pack has a commit. */
  async hasCommit(name: string, id: Uint8Array): Promise<boolean> {
    return (await this.ids(name)).some((one) => equalBytes(one, id));
  }

  async #set(name: string, ids: Uint8Array): Promise<void> {
    this.#isKnown.set(name, true);
    await this.#page.setMetadata(encoder.encode(name), ids);
  }
}

/** A cloud that does nothing by itself: tests carry commits between ledgers, in whatever order. */
import { toHex } from "../../../src/bytes/hex.js";
import { isMerostoreError, MerostoreError } from "../../../src/errors.js";
import type {
  Cloud,
  CloudConnection,
  CommitBytes,
  FetchedPiece,
  SyncedPage,
} from "../../../src/ledger/index.js";

type Identifier = Parameters<SyncedPage["piece"]>[0];

/** One for each ledger; pieces come from the others of its network. */
export class Courier implements Cloud {
  readonly #network: Set<SyncedPage>;
  #page: SyncedPage | undefined;

  constructor(network: Set<SyncedPage>) {
    this.#network = network;
  }

  /** So many that know of each other. */
  static network(count: number): Courier[] {
    const network = new Set<SyncedPage>();
    return Array.from({ length: count }, () => new Courier(network));
  }

  /** The page that was opened last. */
  get page(): SyncedPage {
    if (this.#page === undefined) throw new Error("no page is open");
    return this.#page;
  }

  async connect(page: SyncedPage): Promise<CloudConnection> {
    this.#page = page;
    this.#network.add(page);
    return {
      state: "idle",
      onState: () => () => undefined,
      fetchPiece: (identifier) => this.#fetch(identifier),
      close: async () => void this.#network.delete(page),
    };
  }

  /** All commits of the page, parents first: none is ever marked as synced. */
  commits(): Promise<CommitBytes[]> {
    return this.page.unsyncedCommits();
  }

  /** Brings commits of another page here, those that are not here yet; all of them unless some are named. */
  async bring(from: Courier, only?: readonly Uint8Array[]): Promise<void> {
    const names = only?.map(toHex);
    const commits = (await from.commits()).filter(({ id }) => names?.includes(toHex(id)) ?? true);
    await this.page.addCommits(commits, "peer");
  }

  async #fetch(identifier: Identifier): Promise<FetchedPiece> {
    for (const page of this.#network) {
      if (page === this.#page) continue;
      try {
        return { content: await page.piece(identifier), source: "peer" };
      } catch (error) {
        if (!isMerostoreError(error, "NEEDS_FETCH")) throw error;
      }
    }
    throw new MerostoreError("NETWORK_ERROR", "no other device has the piece");
  }
}

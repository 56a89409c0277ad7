/** A cloud that does nothing by itself: tests carry commits between ledgers, in any order. */
import { isMerostoreError, MerostoreError, toHex } from "merostore/internal";
import {
  type Cloud,
  type CloudConnection,
  type CommitBytes,
  type FetchedPiece,
  type Ledger,
  memoryPlace,
  type Page,
  type PagePolicy,
  type Place,
  type SyncedPage,
} from "../../src/index.js";
import { faultsOf, readStored } from "../stored.js";
import { headOf, testLedger, ticking } from "../support.js";

type Identifier = Parameters<SyncedPage["piece"]>[0];

/** The cloud of one ledger; pieces come from the others of its network. */
export class Courier implements Cloud {
  readonly #network: Set<SyncedPage>;
  readonly #roundTrip: number | undefined;
  /** Called before a merge of heads that have waited for a round trip. */
  refresh: () => Promise<void> = async () => undefined;
  #page: SyncedPage | undefined;

  constructor(network: Set<SyncedPage>, roundTrip?: number) {
    this.#network = network;
    this.#roundTrip = roundTrip;
  }

  /**
   * Makes couriers that know of each other.
   * @param roundTrip milliseconds for which heads wait before they are merged: not at all unless given
   */
  static network(count: number, roundTrip?: number): Courier[] {
    const network = new Set<SyncedPage>();
    return Array.from({ length: count }, () => new Courier(network, roundTrip));
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
      state: { download: "idle", upload: "idle" },
      onState: () => () => undefined,
      roundTrip: this.#roundTrip,
      refresh: () => this.refresh(),
      fetchPiece: (identifier) => this.#fetch(identifier),
      close: async () => void this.#network.delete(page),
    };
  }

  /** All commits of the page, parents first: no commit is ever marked as synced. */
  commits(): Promise<CommitBytes[]> {
    return this.page.unsyncedCommits();
  }

  /** Brings commits of another page here: all, or the named ones. */
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

/** A ledger in memory with a connection to its root page. */
export interface Device {
  readonly ledger: Ledger;
  readonly page: Page;
  readonly courier: Courier;
  readonly place: Place;
}

type Tuple<N extends number, T extends readonly Device[] = []> = number extends N
  ? readonly Device[]
  : T["length"] extends N
    ? T
    : Tuple<N, readonly [...T, Device]>;

/**
 * Devices that know of each other. Their clocks never show the same time: later ones are always ahead. At the end of
 * the scope they are closed, and nothing of what they stored is wrong.
 * @param policies of the devices in their order, or one of all
 */
export async function devicesOf<N extends number>(
  count: N,
  policies: readonly PagePolicy[] | PagePolicy | undefined = [],
  roundTrip?: number,
): Promise<Tuple<N> & AsyncDisposable & { close(): Promise<void> }> {
  const devices = await Promise.all(
    Courier.network(count, roundTrip).map(async (courier, at): Promise<Device> => {
      const place = memoryPlace();
      const ledger = await testLedger({ cloud: courier, clock: ticking(BigInt(1000 + at), 1000n) }, place);
      const policy = Array.isArray(policies)
        ? (policies as readonly PagePolicy[])[at]
        : (policies as PagePolicy);
      if (policy !== undefined) ledger.setConflictResolver(() => policy);
      return { ledger, page: await ledger.rootPage(), courier, place };
    }),
  );
  const close = async (): Promise<void> => {
    for (const { ledger, place } of devices) {
      await ledger.close();
      // A page without commits is not kept.
      const isKept = (await place.pages("test")).length > 0;
      const faults = isKept ? faultsOf(await readStored(place)) : [];
      if (faults.length > 0) throw new Error(`a device stored something wrong: ${faults}`);
    }
  };
  return Object.assign(devices as unknown as Tuple<N>, { close, [Symbol.asyncDispose]: close });
}

/** Carries commits until all devices are at the same one. */
export async function converge(
  all: readonly { readonly page: Page; readonly courier: Courier }[],
): Promise<void> {
  for (let round = 0; round < 20; round++) {
    for (const { courier } of all)
      for (const other of all) if (other.courier !== courier) await courier.bring(other.courier);
    for (const { page } of all) await page.waitForConflictResolution();
    const heads = await Promise.all(all.map(async ({ page }) => toHex(await headOf(page))));
    const counts = await Promise.all(all.map(async ({ courier }) => (await courier.commits()).length));
    if (new Set(heads).size === 1 && new Set(counts).size === 1) return;
  }
  throw new Error("the devices do not come to the same commit");
}

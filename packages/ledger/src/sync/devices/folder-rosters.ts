/** The rosters in a shared folder, as one device reads them, and the newest of them that a page has seen. */
import {
  concat,
  equalBytes,
  fromHex,
  illegalState,
  invalidArgument,
  MerostoreError,
  SerialQueue,
  toHex,
  verify,
} from "merostore/internal";
import { type FileStore, ifReadable, placeOf, readAny } from "../folder/file-store.js";
import type { FolderPage } from "../folder/known-packs.js";
import type { Repairs } from "../folder/repairs.js";
import type { PackRights } from "../folder/sealed-files.js";
import { type FolderDevice, isId, OwnDevice } from "./device.js";
import { decodeRoster, MOST_ROSTER, type Roster, RosterChain } from "./roster.js";

/** The folder of rosters. */
export const ROSTERS = "devices";
/** Bytes of rosters that are remembered. */
const MOST = 1 << 26;
/** The prefix of signed ids of packs: no roster begins with it. */
const PACK = new TextEncoder().encode("merostore ledger pack ");

export class FolderRosters implements PackRights {
  readonly #folder: FileStore;
  readonly device: OwnDevice;
  /** The id of the roster that an admin has told this device. */
  readonly pin: string;
  /** The rosters that are remembered, and the bytes of their files. */
  readonly #read = new Map<string, { readonly roster: Roster; readonly size: number }>();
  readonly #queue = new SerialQueue();
  #chain: RosterChain | undefined;
  #secrets: readonly Uint8Array[] = [];

  constructor(folder: FileStore, device: OwnDevice, pin: string) {
    this.#folder = folder;
    this.device = device;
    this.pin = pin;
  }

  /** @throws MerostoreError INVALID_ARGUMENT for a value that is not a device */
  static of(folder: FileStore, given: FolderDevice): FolderRosters {
    const { secret, roster } = { ...given };
    if (!isId(roster)) throw invalidArgument("the roster of a device is an id of 64 hex digits");
    return new FolderRosters(folder, new OwnDevice(secret), roster);
  }

  /**
   * The rosters that were read last.
   * @throws MerostoreError NETWORK_ERROR if none were
   */
  get chain(): RosterChain {
    if (this.#chain === undefined)
      throw new MerostoreError("NETWORK_ERROR", `the devices of ${this.#folder.name} are not known yet`);
    return this.#chain;
  }

  /** True if rosters were read. */
  get isKnown(): boolean {
    return this.#chain !== undefined;
  }

  /** True if this device may write. */
  get mayWrite(): boolean {
    return this.isKnown && this.chain.mayWrite(this.device.key);
  }

  get secrets(): readonly Uint8Array[] {
    return this.chain && this.#secrets;
  }

  get writer(): Uint8Array {
    return fromHex(this.device.key);
  }

  sign(id: Uint8Array): Uint8Array {
    return this.device.sign(concat(PACK, id));
  }

  accepts(writer: Uint8Array, id: Uint8Array, signature: Uint8Array): boolean {
    return this.chain.accepts(toHex(writer), toHex(id)) && isSigned(writer, id, signature);
  }

  /**
   * Reads new rosters.
   *
   * @param seen the id of the newest roster that this device has seen before, if any
   * @param folder the same folder as a page reads it, so that its closing ends the reading
   * @returns the id of the newest one
   * @throws MerostoreError NETWORK_ERROR if a roster is missing that this device has seen; ILLEGAL_STATE if two follow
   * the same one; WRONG_KEY if this device is not in the newest
   */
  load(seen?: string, folder = this.#folder): Promise<string> {
    return this.#queue.run(() => this.#load(seen, folder));
  }

  async #load(seen: string | undefined, folder: FileStore): Promise<string> {
    await this.#readNew(folder);
    const known = new Set([this.pin, ...(seen === undefined ? [] : [seen])]);
    if (this.#chain !== undefined) known.add(this.#chain.newest.id);
    let chain = this.#chainTo([...known].map((id) => this.#roster(id)));
    for (const id of known) if (!chain.has(id)) throw this.#twoChains([id, chain.newest.id]);
    for (;;) {
      const next = this.#after(chain);
      if (next === undefined) break;
      chain = next;
    }
    const { device } = this;
    const secrets = chain.newest.id === this.#chain?.newest.id ? this.#secrets : await chain.secrets(device);
    if (secrets === undefined) {
      const why = chain.hadDevice(device.key) ? "was removed from it" : "is not in it: an admin must add it";
      throw new MerostoreError("WRONG_KEY", `${this.#folder.name} has devices, and this one ${why}`);
    }
    this.#secrets = secrets;
    this.#chain = chain;
    return chain.newest.id;
  }

  /** The chain with the roster that follows, if any. */
  #after(chain: RosterChain): RosterChain | undefined {
    const found: RosterChain[] = [];
    for (const { roster } of this.#read.values()) {
      const next = roster.previous === chain.newest.id ? chain.with(roster) : undefined;
      if (next !== undefined) found.push(next);
    }
    if (found.length > 1) throw this.#twoChains(found.map(({ newest }) => newest.id));
    return found[0];
  }

  /** The chain that ends with the last of some rosters. */
  #chainTo(rosters: readonly Roster[]): RosterChain {
    const back = [rosters.toSorted((a, b) => b.number - a.number)[0] as Roster];
    for (let first = back[0] as Roster; first.number > 1; back.unshift(first)) {
      const before = this.#roster(first.previous);
      if (before.number !== first.number - 1) throw this.#invalid(first.id);
      first = before;
    }
    let chain = RosterChain.of(back[0] as Roster);
    for (const roster of back.slice(1)) chain = chain?.with(roster);
    if (chain === undefined) throw this.#invalid((back.at(-1) as Roster).id);
    return chain;
  }

  #roster(id: string): Roster {
    const found = this.#read.get(id);
    if (found !== undefined) return found.roster;
    const place = placeOf(this.#folder, `${ROSTERS}/${id}`);
    throw new MerostoreError(
      "NETWORK_ERROR",
      `${place} is missing or incomplete: this device must have it. It is copied still, or the folder is another one, or an older state of it was put back`,
    );
  }

  #invalid(id: string): MerostoreError {
    const place = placeOf(this.#folder, `${ROSTERS}/${id}`);
    return new MerostoreError("DATA_INTEGRITY_ERROR", `${place} does not follow from the rosters before it`);
  }

  #twoChains(ids: readonly string[]): MerostoreError {
    const places = ids.map((id) => placeOf(this.#folder, `${ROSTERS}/${id}`)).sort();
    return illegalState(
      `two admins have changed the devices apart: ${places.join(" and ")}. An admin must remove one of these files, and make its change again`,
    );
  }

  async #readNew(folder: FileStore): Promise<void> {
    const names = (await folder.list(ROSTERS)).filter((name) => isId(name));
    const present = new Set(names);
    // The chain keeps its rosters, even if their files are gone.
    for (const name of this.#read.keys())
      if (!present.has(name) && this.#chain?.has(name) !== true) this.#read.delete(name);
    let total = 0;
    for (const { size } of this.#read.values()) total += size;
    for (const name of names) {
      if (this.#read.has(name) || total > MOST) continue;
      const read = () => readAny(folder, `${ROSTERS}/${name}`, MOST_ROSTER);
      const bytes = (await ifReadable(folder, read))?.bytes;
      // A file that is incomplete is read again.
      if (bytes === undefined) continue;
      const roster = decodeRoster(name, bytes);
      if (roster === undefined) continue;
      this.#read.set(name, { roster, size: bytes.length });
      total += bytes.length;
    }
  }
}

/** Returns whether a device has signed a pack. */
export function isSigned(writer: Uint8Array, id: Uint8Array, signature: Uint8Array): boolean {
  return verify(writer, concat(PACK, id), signature, { strict: true });
}

const encoder = new TextEncoder();
/** Metadata: the roster that the device was told, and the newest one that was seen. */
const SEEN = encoder.encode("roster");
/** Metadata: the newest roster for which the known packs that it makes invalid were written again. */
const VOUCHED = encoder.encode("vouched");
const ID_SIZE = 32;

export class SeenRosters {
  readonly #rosters: FolderRosters;
  readonly #parts: FolderPage;
  /** The roster that was the newest when packs were read. */
  #used: string | undefined;

  constructor(rosters: FolderRosters, parts: FolderPage) {
    this.#rosters = rosters;
    this.#parts = parts;
  }

  /** Reads new rosters, and remembers the newest. @throws MerostoreError as {@link FolderRosters.load} */
  async load(): Promise<void> {
    const { page, folder, packs } = this.#parts;
    const told = fromHex(this.#rosters.pin);
    const stored = await page.metadata(SEEN);
    // The stored ids do not count if the user has told the device another roster since.
    const isOf = stored !== undefined && equalBytes(stored.subarray(0, ID_SIZE), told);
    const seen = isOf ? toHex(stored.subarray(ID_SIZE)) : undefined;
    const newest = await this.#rosters.load(seen, folder);
    if (newest !== seen) await page.setMetadata(SEEN, concat(told, fromHex(newest)));
    if (newest !== this.#used) packs.rightsChanged();
    this.#used = newest;
  }

  /** Writes again the known packs that are now refused: devices that have not read them need their commits. */
  async vouch(repairs: Repairs): Promise<void> {
    const { page, packs, known } = this.#parts;
    const newest = fromHex(this.#rosters.chain.newest.id);
    const vouched = await page.metadata(VOUCHED);
    if (vouched !== undefined && equalBytes(vouched, newest)) return;
    for (const name of await packs.names())
      if ((await known.has(name)) && (await packs.state(name)) === "unusable" && packs.isRefused(name))
        await repairs.replace(name);
    await page.setMetadata(VOUCHED, newest);
  }
}

/** The rosters of a folder from the first one on, each signed by an admin of the one before. */
import { fromHex } from "merostore/internal";
import { type OwnDevice, open } from "./device.js";
import type { DeviceEntry, DeviceRole, Roster } from "./roster.js";

/** The purpose of a key that is sealed under the next one. */
export const OLDER = "older key";

export class RosterChain {
  readonly rosters: readonly Roster[];
  readonly #roles: ReadonlyMap<string, DeviceRole>;
  /** The ids of packs that stay valid, of devices that may no longer write. */
  readonly #kept: ReadonlySet<string>;

  private constructor(rosters: readonly Roster[]) {
    this.rosters = rosters;
    this.#roles = new Map(this.newest.devices.map(({ key, role }) => [key, role]));
    this.#kept = new Set(
      rosters.flatMap(({ kept }) => kept?.packs.map((pack) => `${kept.key} ${pack}`) ?? []),
    );
  }

  /** A chain of one roster. Undefined if it cannot be the first one. */
  static of(first: Roster): RosterChain | undefined {
    const { number, epoch, kept, older } = first;
    const isFirst = number === 1 && epoch === 1 && kept === undefined && older === undefined;
    return isFirst && isAdmin(first, first.signer) ? new RosterChain([first]) : undefined;
  }

  /** The chain with one more roster. Undefined if that may not follow. */
  with(next: Roster): RosterChain | undefined {
    const { newest } = this;
    const stays = new Set(next.devices.map(({ key }) => key));
    const here = new Set(newest.devices.map(({ key }) => key));
    const isRight =
      next.number === newest.number + 1 &&
      next.previous === newest.id &&
      isAdmin(newest, next.signer) &&
      // A removed device knows the key until then.
      next.epoch === newest.epoch + ([...here].every((key) => stays.has(key)) ? 0 : 1) &&
      (next.older !== undefined) === next.epoch > newest.epoch &&
      // Packs that a removed device has signed since would be valid again.
      [...stays].every((key) => here.has(key) || !this.hadDevice(key)) &&
      (next.kept === undefined || here.has(next.kept.key));
    return isRight ? new RosterChain([...this.rosters, next]) : undefined;
  }

  get newest(): Roster {
    return this.rosters.at(-1) as Roster;
  }

  has(id: string): boolean {
    return this.rosters.some((roster) => roster.id === id);
  }

  /** Returns whether a device was ever in the folder. */
  hadDevice(key: string): boolean {
    return this.rosters.some(({ devices }) => devices.some((device) => device.key === key));
  }

  device(key: string): DeviceEntry | undefined {
    return this.newest.devices.find((device) => device.key === key);
  }

  /** Returns whether a device may write packs now. */
  mayWrite(key: string): boolean {
    const role = this.#roles.get(key);
    return role === "admin" || role === "write";
  }

  /** Returns whether a pack of a device is valid. */
  accepts(key: string, pack: string): boolean {
    return this.mayWrite(key) || this.#kept.has(`${key} ${pack}`);
  }

  /** The keys of all epochs, that of the first one first. Undefined if they are not sealed for this device. */
  async secrets(device: OwnDevice): Promise<readonly Uint8Array[] | undefined> {
    const sealed = this.newest.devices.find(({ key }) => key === device.key)?.secret;
    if (sealed === undefined) return undefined;
    let secret = await device.open(this.newest.signer, fromHex(sealed));
    const secrets: Uint8Array[] = [];
    for (const { older } of this.rosters.toReversed()) {
      if (older === undefined) continue;
      if (secret === undefined) return undefined;
      secrets.unshift(secret);
      secret = await open(secret, OLDER, fromHex(older));
    }
    return secret && [secret, ...secrets];
  }
}

function isAdmin({ devices }: Roster, key: string): boolean {
  return devices.some((device) => device.key === key && device.role === "admin");
}

/**
 * A roster: the devices of a folder, as an admin has set them. It is a file `devices/ID` of two lines, a JSON object
 * and the signature of its bytes in hex. The id is the SHA-256 of the file. Each roster but the first names the
 * previous roster, and an admin of that roster has signed it.
 */
import { fromHex, sha256, toHex, verify } from "merostore/internal";
import { isId, type OwnDevice, open } from "./device.js";

/** The rights of a device: an admin also changes devices, a device with `read` uploads nothing. */
export type DeviceRole = "admin" | "write" | "read";

/** A device in a roster. */
export interface DeviceEntry {
  /** The public key of the device, 64 hex digits. */
  readonly key: string;
  /** A name of 1 to 64 characters. */
  readonly name: string;
  readonly role: DeviceRole;
}

/** An entry with the folder's key, which the signer has sealed for the device: hex digits. */
export interface SealedEntry extends DeviceEntry {
  readonly secret: string;
}

/** The content of a roster. */
export interface RosterContent {
  /** 1 for the first one. */
  readonly number: number;
  /** The id of the previous roster; empty for the first one. */
  readonly previous: string;
  /** The number of the folder's key, from 1. */
  readonly epoch: number;
  /** The key of the admin who signs. */
  readonly signer: string;
  readonly devices: readonly SealedEntry[];
  /** If the key is new: the previous key, sealed under the new one, in hex digits. */
  readonly older?: string | undefined;
  /** For a device that may no longer write: the ids of its packs that stay valid. */
  readonly kept?: { readonly key: string; readonly packs: readonly string[] } | undefined;
}

/** A roster that its signer has signed. */
export interface Roster extends RosterContent {
  readonly id: string;
}

export const ROLES: readonly DeviceRole[] = ["admin", "write", "read"];
/** The most bytes of a roster. */
export const MOST_ROSTER = 1 << 18;
const FORMAT = "merostore ledger devices";
const SIGNATURE_DIGITS = 128;
const encoder = new TextEncoder();

/** Signs a roster. Returns its id and its bytes. */
export function encodeRoster(device: OwnDevice, content: RosterContent): { id: string; bytes: Uint8Array } {
  const line = `${JSON.stringify({ format: FORMAT, ...content })}\n`;
  const bytes = encoder.encode(`${line}${toHex(device.sign(encoder.encode(line)))}\n`);
  return { id: toHex(sha256(bytes)), bytes };
}

/** Reads a roster. Undefined unless it has this id, the right form, and the signature of its signer. */
export function decodeRoster(id: string, bytes: Uint8Array): Roster | undefined {
  if (toHex(sha256(bytes)) !== id) return undefined;
  const line = bytes.subarray(0, bytes.indexOf(0x0a) + 1);
  const signature = new TextDecoder().decode(bytes.subarray(line.length)).trimEnd();
  const content = contentOf(line);
  if (content === undefined || !/^[0-9a-f]*$/.test(signature) || signature.length !== SIGNATURE_DIGITS)
    return undefined;
  return verify(fromHex(content.signer), line, fromHex(signature), { strict: true })
    ? { ...content, id }
    : undefined;
}

function contentOf(line: Uint8Array): RosterContent | undefined {
  let found: unknown;
  try {
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
  const content = found as Partial<RosterContent & { format: unknown }> | null;
  if (content?.format !== FORMAT) return undefined;
  const { number, previous, epoch, signer, devices, older, kept } = content;
  const isRight =
    isCount(number) &&
    isCount(epoch) &&
    (number === 1 ? previous === "" : isId(previous)) &&
    isId(signer) &&
    (older === undefined || isHex(older)) &&
    (kept === undefined || (isId(kept.key) && Array.isArray(kept.packs) && kept.packs.every(isId))) &&
    Array.isArray(devices) &&
    devices.every(isEntry) &&
    new Set(devices.map(({ key }) => key)).size === devices.length &&
    new Set(devices.map(({ name }) => name)).size === devices.length &&
    devices.some(({ role }) => role === "admin");
  return isRight ? (content as RosterContent) : undefined;
}

function isEntry(value: unknown): value is SealedEntry {
  const { key, name, role, secret } = (value ?? {}) as Partial<SealedEntry>;
  // The key was checked when the device was added: checking all keys costs more than checking the signature.
  return isId(key) && isDeviceName(name) && ROLES.some((one) => one === role) && isHex(secret);
}

/** Returns whether a value can be the name of a device. */
export function isDeviceName(value: unknown): value is string {
  return typeof value === "string" && /^[^\p{C}]{1,64}$/u.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^(?:[0-9a-f]{2})*$/.test(value);
}

/** The purpose of a key that is sealed under the next one. */
export const OLDER = "older key";

export class RosterChain {
  readonly rosters: readonly Roster[];
  readonly #roles: ReadonlyMap<string, DeviceRole>;
  /** The packs that stay valid of devices that may no longer write, as `KEY ID`. */
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

  /** The chain with one more roster. Undefined if that roster cannot follow. */
  with(next: Roster): RosterChain | undefined {
    const { newest } = this;
    const stays = new Set(next.devices.map(({ key }) => key));
    const here = new Set(newest.devices.map(({ key }) => key));
    const isRight =
      next.number === newest.number + 1 &&
      next.previous === newest.id &&
      isAdmin(newest, next.signer) &&
      // A removal needs a new epoch: the removed device knows the key of the old one.
      next.epoch === newest.epoch + ([...here].every((key) => stays.has(key)) ? 0 : 1) &&
      (next.older !== undefined) === next.epoch > newest.epoch &&
      // A removed device cannot return: packs that it has signed since would be valid again.
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

  /** The keys of all epochs, in ascending order. Undefined if they are not sealed for this device. */
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

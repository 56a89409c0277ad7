/** The devices of a shared folder, as an admin changes them. */
import {
  checkOptions,
  illegalState,
  invalidArgument,
  isMerostoreError,
  isOneOf,
  type OptionChecks,
  type PathOrUrl,
  SerialQueue,
  toHex,
} from "merostore/internal";
import { type FileStore, storeOf } from "../folder/file-store.js";
import { checkMark, MARK, writeMark } from "../folder/mark.js";
import { packProofs } from "../folder/page-packs.js";
import { FILE_NAME, FolderKeys } from "../folder/sealed-files.js";
import { type FolderDevice, isDeviceKey, OwnDevice, SECRET_SIZE, seal } from "./device.js";
import { FolderRosters, isSigned, ROSTERS } from "./folder-rosters.js";
import {
  type DeviceEntry,
  encodeRoster,
  isDeviceName,
  MOST_ROSTER,
  OLDER,
  ROLES,
  type RosterContent,
} from "./roster.js";

/** The first device of a folder. */
export interface FirstDevice {
  /** The secret of the device, as {@link newDevice} makes it. */
  readonly secret: Uint8Array | string;
  /** A name of 1 to 64 characters. */
  readonly name: string;
}

const named = (value: unknown): string | undefined =>
  isDeviceName(value) ? undefined : "a name of 1 to 64 characters";

const ENTRY: OptionChecks<DeviceEntry> = {
  key: (value) => (isDeviceKey(value) ? undefined : "the key of a device, 64 hex digits"),
  name: named,
  role: isOneOf(ROLES),
};

/** The devices of a folder, made by {@link folderDevices}. Only an admin can change them. */
export class FolderDevices {
  readonly #folder: FileStore;
  readonly #rosters: FolderRosters;
  /** Each change begins with the roster of the previous change. */
  readonly #changes = new SerialQueue();

  /** @internal Use {@link folderDevices}. */
  constructor(folder: FileStore, device: FolderDevice) {
    this.#folder = folder;
    this.#rosters = FolderRosters.of(folder, device);
  }

  /** The devices, as the newest roster has them. @throws MerostoreError NETWORK_ERROR, WRONG_KEY, ILLEGAL_STATE */
  async list(): Promise<readonly DeviceEntry[]> {
    await this.#load();
    return this.#rosters.chain.newest.devices.map(({ key, name, role }) => ({ key, name, role }));
  }

  /**
   * Adds a device, or changes the name and role of one. If it may no longer write, only its packs that are in the
   * folder now stay valid.
   *
   * @returns the id of the new roster: the device needs it, once, as {@link FolderDevice.roster}
   * @throws MerostoreError ILLEGAL_STATE unless this device is an admin, for a device that was removed before, for a
   * name that another device has, without an admin, and if another admin makes a change at the same time;
   * NETWORK_ERROR; WRONG_KEY
   */
  async add(device: DeviceEntry): Promise<string> {
    checkOptions("add", device, ENTRY);
    const { key, name, role } = { ...device };
    for (const [what, value] of Object.entries({ key, name, role }))
      if (value === undefined) throw invalidArgument(`a device needs a ${what}`);
    return this.#changes.run(() => this.#add({ key, name, role }));
  }

  async #add({ key, name, role }: DeviceEntry): Promise<string> {
    await this.#load();
    const { chain } = this.#rosters;
    const known = chain.device(key);
    if (known === undefined && chain.hadDevice(key))
      throw illegalState("the device was removed: it needs a new key to come back");
    const others = chain.newest.devices.filter((one) => one.key !== key);
    if (others.some((one) => one.name === name))
      throw illegalState(`another device has the name ${JSON.stringify(name)}`);
    return this.#change(
      [...others, { key, name, role }],
      chain.mayWrite(key) && role === "read" ? key : undefined,
    );
  }

  /**
   * Removes a device. The folder gets a new key, which the device does not learn. Only its packs that are in the folder
   * now stay valid.
   *
   * @param device its key or its name
   * @returns the id of the new roster
   * @throws MerostoreError ILLEGAL_STATE as {@link FolderDevices.add}, and if there is no such device; NETWORK_ERROR;
   * WRONG_KEY
   */
  async remove(device: string): Promise<string> {
    if (typeof device !== "string") throw invalidArgument("a device is removed by its key or its name");
    return this.#changes.run(() => this.#remove(device));
  }

  async #remove(device: string): Promise<string> {
    await this.#load();
    const { devices } = this.#rosters.chain.newest;
    const found = devices.find(({ key }) => key === device) ?? devices.find(({ name }) => name === device);
    if (found === undefined) throw illegalState(`there is no device ${JSON.stringify(device)}`);
    return this.#change(
      devices.filter((one) => one !== found),
      found.key,
    );
  }

  async #load(): Promise<void> {
    await checkMark(this.#folder, new FolderKeys(this.#rosters), true);
    await this.#rosters.load();
  }

  async #change(devices: readonly DeviceEntry[], revoked: string | undefined): Promise<string> {
    const { chain, device, secrets } = this.#rosters;
    const before = chain.newest;
    if (chain.device(device.key)?.role !== "admin") throw illegalState("only an admin changes the devices");
    if (!devices.some(({ role }) => role === "admin")) throw illegalState("the last admin must stay one");
    const isRemoved = before.devices.some(({ key }) => !devices.some((one) => one.key === key));
    const old = secrets.at(-1) as Uint8Array;
    const secret = isRemoved ? newSecret() : old;
    const { id, bytes } = await rosterOf(device, secret, devices, {
      number: before.number + 1,
      previous: before.id,
      epoch: before.epoch + (isRemoved ? 1 : 0),
      older: isRemoved ? toHex(await seal(secret, OLDER, old)) : undefined,
      kept: revoked === undefined ? undefined : { key: revoked, packs: await this.#packsOf(revoked) },
    });
    if (bytes.length > MOST_ROSTER) throw illegalState("there are too many devices, or packs of this one");
    const path = `${ROSTERS}/${id}`;
    await this.#folder.write(path, bytes);
    try {
      await this.#rosters.load();
    } catch (error) {
      // Another admin has written a roster too. After any other error, devices may have seen this roster.
      if (isMerostoreError(error, "ILLEGAL_STATE")) await this.#folder.remove(path);
      throw error;
    }
    return id;
  }

  /** The ids of the packs in the folder that a device has signed. */
  async #packsOf(key: string): Promise<readonly string[]> {
    const keys = new FolderKeys(this.#rosters);
    const ids: string[] = [];
    for (const page of (await this.#folder.list("")).sort()) {
      if (!FILE_NAME.test(page)) continue;
      for await (const { writer, id, signature } of packProofs(this.#folder, keys, page))
        if (toHex(writer) === key && isSigned(writer, id, signature)) ids.push(toHex(id));
    }
    return ids;
  }
}

/**
 * Begins the devices of an empty folder, with this one as its first admin. Pages that were synced with another folder
 * go to the new one with all they have.
 *
 * @param folder as for {@link folderCloud}
 * @returns the id of the first roster, which every device needs as {@link FolderDevice.roster}, this one too
 * @throws MerostoreError ILLEGAL_STATE for a folder that has pages, a mark or devices; NETWORK_ERROR; INVALID_ARGUMENT
 * @example
 * import { mkdirSync } from "node:fs";
 *
 * mkdirSync("team", { recursive: true });
 * const laptop = newDevice();
 * const roster = await startDevices("team", { secret: laptop.secret, name: "laptop" });
 * const cloud = folderCloud("team", { device: { secret: laptop.secret, roster } });
 * await using ledger = await openLedger("laptop", { name: "contacts", cloud });
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 * await cloud.sync();
 */
export async function startDevices(folder: PathOrUrl | FileStore, first: FirstDevice): Promise<string> {
  const store = storeOf(folder, "the folder of devices");
  checkOptions("startDevices", first, { secret: () => undefined, name: named });
  const { secret, name } = { ...first };
  const device = new OwnDevice(secret);
  if (name === undefined) throw invalidArgument("a device needs a name");
  await store.checkIsThere();
  const names = await store.list("");
  if (names.some((name) => name === MARK || FILE_NAME.test(name)) || (await store.list(ROSTERS)).length > 0)
    throw illegalState(`${store.name} is in use: devices begin in an empty folder`);
  const entry = { key: device.key, name, role: "admin" } as const;
  const { id, bytes } = await rosterOf(device, newSecret(), [entry], { number: 1, previous: "", epoch: 1 });
  await store.write(`${ROSTERS}/${id}`, bytes);
  // If two devices write at the same time, at least one of them sees both rosters.
  if ((await store.list(ROSTERS)).some((name) => name !== id)) {
    await store.remove(`${ROSTERS}/${id}`);
    throw illegalState(`another device starts in ${store.name} at the same time: try again`);
  }
  await writeMark(store, new FolderKeys(FolderRosters.of(store, { secret, roster: id })));
  return id;
}

/**
 * The devices of a folder, for listing and changing them.
 *
 * @param folder as for {@link folderCloud}
 * @param device this device, an admin for changes
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 * import { mkdirSync } from "node:fs";
 *
 * mkdirSync("team", { recursive: true });
 * const [laptop, phone] = [newDevice(), newDevice()];
 * const roster = await startDevices("team", { secret: laptop.secret, name: "laptop" });
 * const devices = folderDevices("team", { secret: laptop.secret, roster });
 * console.log(await devices.add({ key: phone.key, name: "phone", role: "write" }));
 * await devices.remove("phone");
 */
export function folderDevices(folder: PathOrUrl | FileStore, device: FolderDevice): FolderDevices {
  return new FolderDevices(storeOf(folder, "the folder of devices"), device);
}

function newSecret(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SECRET_SIZE));
}

/** Signs a roster, with the folder's key sealed for each device. */
async function rosterOf(
  device: OwnDevice,
  secret: Uint8Array,
  devices: readonly DeviceEntry[],
  content: Omit<RosterContent, "signer" | "devices">,
): Promise<ReturnType<typeof encodeRoster>> {
  const sealed = [];
  for (const { key, name, role } of devices)
    sealed.push({ key, name, role, secret: toHex(await device.seal(key, secret)) });
  return encodeRoster(device, { ...content, signer: device.key, devices: sealed });
}

/** A folder with devices: the first one is its admin. */
import {
  type DeviceRole,
  type FolderDevice,
  folderDevices,
  newDevice,
  startDevices,
} from "../../src/index.js";
import { type Device, FolderDevices } from "./folder-devices.js";

/** A device that has its page open. */
export interface Member extends Device {
  readonly own: FolderDevice;
  readonly key: string;
}

export class Team {
  readonly folder = new FolderDevices();
  /** The admin, which only changes devices. */
  admin: FolderDevice = { secret: "", roster: "" };
  #count = 0;

  /** A folder with an admin. */
  static async start(): Promise<Team> {
    const team = new Team();
    const { secret } = newDevice();
    const roster = await startDevices(team.path, { secret, name: "admin" });
    team.admin = { secret, roster };
    return team;
  }

  get path(): string {
    return this.folder.path;
  }

  /** The devices of the folder, as the admin sees them. */
  get devices() {
    return folderDevices(this.path, this.admin);
  }

  /** Adds a device with its name as its content, and opens its page. */
  async add(name: string, role: DeviceRole = "write"): Promise<Member> {
    const { secret, key } = newDevice();
    const roster = await this.devices.add({ key, name, role });
    return this.open({ secret, roster }, key);
  }

  /** Opens the page of a device. */
  async open(own: FolderDevice, key = ""): Promise<Member> {
    return { ...(await this.folder.add(++this.#count, { device: own })), own, key };
  }

  remove(): Promise<void> {
    return this.folder.remove();
  }
}

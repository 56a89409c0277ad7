/** Devices that sync through one folder, each only when a test calls `sync`. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import {
  type Cloud,
  type FileStore,
  type FolderCloudOptions,
  folderCloud,
  type Ledger,
  memoryPlace,
  type Page,
  type Place,
} from "../../src/index.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { contents, PAGE, testLedger, ticking } from "../support.js";

/** A device: its cloud, its ledger and its connection to the page. */
export interface Device {
  readonly cloud: ReturnType<typeof folderCloud>;
  readonly ledger: Ledger;
  readonly place: Place;
  readonly page: Page;
}

/** The parts of a device that a test chooses. */
export interface DeviceParts extends FolderCloudOptions {
  /** The files of the cloud: the folder unless given. */
  readonly store?: FileStore | string;
  /** The device of earlier, which is opened again. */
  readonly place?: Place;
  /** Changes what the cloud sees of the page. */
  readonly through?: (cloud: Cloud) => Cloud;
}

/** A folder, made when it is needed, and the devices that are open. */
export class FolderDevices {
  #path: string | undefined;
  readonly #open: Ledger[] = [];

  get path(): string {
    this.#path ??= mkdtempSync(join(tmpdir(), "merostore-folder-"));
    return this.#path;
  }

  /** Opens a device. */
  async add(
    number: number,
    { store = this.path, place = memoryPlace(), through = (cloud) => cloud, ...options }: DeviceParts = {},
  ): Promise<Device> {
    const cloud = folderCloud(store, { interval: 0, ...options });
    const clock = ticking(BigInt(1000 + number), 1000n);
    const ledger = await testLedger({ cloud: through(cloud), clock }, place);
    this.#open.push(ledger);
    return { cloud, ledger, place, page: await ledger.page(PAGE) };
  }

  /** The paths of files, within the folder, whose path has a part. */
  files(part = ""): string[] {
    return readdirSync(this.path, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(this.path, name)).isFile() && name.includes(part))
      .sort();
  }

  /** Closes the devices and removes the folder. Another one is made when it is needed. */
  async remove(): Promise<void> {
    for (const ledger of this.#open.splice(0)) await ledger.close();
    rmSync(this.path, { recursive: true, force: true });
    this.#path = undefined;
  }
}

/** A value of some hundred kilobytes, without repetition. */
export const large = (name: string): string =>
  Array.from({ length: 20_000 }, (_, at) => `${name} ${at} `).join("");

/** Lets `steps` changes of folders happen, and refuses all others. Returns whether one was refused. */
export function killAfter(steps: number): () => boolean {
  let [left, isKilled] = [steps, false];
  for (const method of ["write", "remove"] as const) {
    const whole = SharedFolder.prototype[method] as (...all: unknown[]) => Promise<void>;
    vi.spyOn(SharedFolder.prototype, method).mockImplementation(function (
      this: SharedFolder,
      ...args: unknown[]
    ) {
      if (left-- > 0) return whole.apply(this, args);
      isKilled = true;
      return Promise.reject(new Error("killed"));
    });
  }
  return () => isKilled;
}

/** The entries of a page after each of its commits, the newest first. */
export async function allStates(page: Page): Promise<readonly Record<string, string | null>[]> {
  const found: Record<string, string | null>[] = [];
  for await (const { id } of page.history()) {
    await using snapshot = await page.snapshotAt(id);
    found.push(await contents(snapshot));
  }
  return found;
}

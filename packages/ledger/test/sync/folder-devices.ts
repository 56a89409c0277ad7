/** Devices that sync through one folder, each only when a test calls `sync`. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FileStore,
  type FolderCloudOptions,
  folderCloud,
  type Ledger,
  type Page,
} from "../../src/index.js";
import { contents, PAGE, testLedger, ticking } from "../support.js";

/** A device: its cloud, its ledger and its connection to the page. */
export interface Device {
  readonly cloud: ReturnType<typeof folderCloud>;
  readonly ledger: Ledger;
  readonly page: Page;
}

export class FolderDevices {
  readonly path = mkdtempSync(join(tmpdir(), "merostore-folder-"));
  readonly #open: Ledger[] = [];

  /** Opens a device. Its files are in the folder, unless a store is given. */
  async add(
    number: number,
    options: FolderCloudOptions = {},
    store: FileStore | string = this.path,
  ): Promise<Device> {
    const cloud = folderCloud(store, { interval: 0, patience: 60_000, ...options });
    const ledger = await testLedger({ cloud, clock: ticking(BigInt(1000 + number), 1000n) });
    this.#open.push(ledger);
    return { cloud, ledger, page: await ledger.page(PAGE) };
  }

  /** The paths of files, within the folder, whose path has a part. */
  files(part = ""): string[] {
    return readdirSync(this.path, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(this.path, name)).isFile() && name.includes(part))
      .sort();
  }

  async remove(): Promise<void> {
    for (const ledger of this.#open.splice(0)) await ledger.close();
    rmSync(this.path, { recursive: true, force: true });
  }
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

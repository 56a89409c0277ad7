/**
 * The mark of a shared folder, `merostore-ledger.json`: its version, and a check of its key. All devices write the same
 * bytes. It distinguishes the right folder from an emptied or unmounted one.
 */
import { isMerostoreError, MerostoreError } from "merostore/internal";
import { type FileStore, readAny } from "./file-store.js";
import { FILE_NAME, type FolderKeys } from "./sealed-files.js";

/** The file. */
export const MARK = "merostore-ledger.json";
/** In version 1, each commit and each piece was a file. */
const OLD_VERSION = 1;
const VERSION = 2;
/** A folder with devices: programs that do not know devices must not go on. */
const DEVICES_VERSION = 3;
const MOST = 4096;

/**
 * Checks the mark. Replaces a mark of version 1. A folder with devices gets its mark with their first roster.
 *
 * @param wasUsed whether this device has synced with the folder before; otherwise a folder without a mark gets one
 * @throws MerostoreError NETWORK_ERROR if the folder cannot be reached, or if its mark is missing or incomplete;
 * WRONG_KEY; FORMAT_UNSUPPORTED
 */
export async function checkMark(folder: FileStore, keys: FolderKeys, wasUsed: boolean): Promise<void> {
  await folder.checkIsThere();
  const found = await readAny(folder, MARK, MOST);
  if (found === undefined) {
    if (wasUsed)
      throw new MerostoreError(
        "NETWORK_ERROR",
        `${folder.name} is not the folder that this page was synced with, or was emptied: it has no ${MARK}. Is its drive mounted? If it was emptied, restore() of the cloud, or "ledger sync --restore", fills it again`,
      );
    if ((await folder.list("")).some((name) => FILE_NAME.test(name)))
      throw new MerostoreError(
        "NETWORK_ERROR",
        `${folder.name} has pages, and no ${MARK}: it is copied still, or somebody removed the file, which can be copied again from another copy of the folder`,
      );
    if (keys.rights !== undefined)
      throw new MerostoreError(
        "NETWORK_ERROR",
        `${folder.name} has no devices yet: startDevices begins them`,
      );
    await writeMark(folder, keys);
    return;
  }
  const { version, encrypted, check } = parse(found.bytes, folder);
  const hasDevices = version === DEVICES_VERSION;
  if (version !== VERSION && version !== OLD_VERSION && !hasDevices)
    throw new MerostoreError(
      "FORMAT_UNSUPPORTED",
      `${folder.name} has the format ${version} of a newer program`,
    );
  if (hasDevices !== (keys.rights !== undefined))
    throw new MerostoreError(
      "WRONG_KEY",
      `${folder.name} ${hasDevices ? "has devices, and none was given" : "has no devices: leave out the device"}`,
    );
  if (encrypted === keys.isEncrypted && check === keys.check) {
    // Programs that do not know packs must not go on.
    if (version === OLD_VERSION) await writeMark(folder, keys);
    return;
  }
  const why =
    encrypted === keys.isEncrypted
      ? "is encrypted with another key"
      : encrypted
        ? "is encrypted, and no key was given"
        : "is not encrypted: leave out the key";
  throw new MerostoreError("WRONG_KEY", `${folder.name} ${why}`);
}

/** Marks a folder. */
export async function writeMark(
  folder: FileStore,
  { isEncrypted, check, rights }: Pick<FolderKeys, "isEncrypted" | "check" | "rights">,
): Promise<void> {
  const version = rights === undefined ? VERSION : DEVICES_VERSION;
  const mark = { format: "merostore ledger folder", version, encrypted: isEncrypted, check };
  await folder.write(MARK, new TextEncoder().encode(`${JSON.stringify(mark)}\n`));
}

interface Mark {
  readonly version: number;
  readonly encrypted: boolean;
  readonly check: string;
}

function parse(bytes: Uint8Array, folder: FileStore): Mark {
  try {
    const { version, encrypted, check } = JSON.parse(new TextDecoder().decode(bytes)) as Record<
      string,
      unknown
    >;
    if (typeof version === "number" && typeof encrypted === "boolean" && typeof check === "string")
      return { version, encrypted, check };
  } catch (error) {
    if (isMerostoreError(error)) throw error;
  }
  throw new MerostoreError("NETWORK_ERROR", `${folder.name}: ${MARK} is incomplete or damaged`);
}

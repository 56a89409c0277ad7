/**
 * The lock of a database that is written without RocksDB. RocksDB locks the file LOCK with `fcntl`, which Node cannot
 * do, but the system lists the holders of that lock. Processes that write without RocksDB exclude each other with a
 * file.
 */

import {
  closeSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MerostoreError, orUndefined } from "../errors.js";
import { WRITER_LOCK } from "./folder.js";
import { bootOfSystem, hasProcessEnded, type ProcessIdentity, thisProcess } from "./process-identity.js";
import { openRegular } from "./regular-file.js";
import { unfinishedName } from "./unfinished.js";

/** The list of all locks on files. Only Linux has it. */
const LOCKS = "/proc/locks";

/** The most bytes of a lock. */
const LONGEST = 64 * 1024;

interface Holder extends ProcessIdentity {
  /** The device and inode of the folder. A copy of a database also has a copy of its lock, which does not count. */
  readonly folder: string;
  /** The boot of the system; undefined if it is not known. */
  readonly boot?: string | undefined;
}

/**
 * File systems that only one running system can mount at a time, by their numbers on Linux: ext2 to ext4, XFS, Btrfs,
 * F2FS. On a shared file system, a lock of another boot may belong to another machine.
 */
const OF_ONE_SYSTEM = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010];

/** The error for a database that another program, or this one, has open for writing. */
export function lockedError(path: string, cause?: unknown): MerostoreError {
  return new MerostoreError(
    "DATABASE_LOCKED",
    `${path} is locked by another process (a running node?) or by this program: stop it before you write; reading works beside it`,
    { cause },
  );
}

/** Returns whether the system lists the locks on files. */
export function listsLocks(): boolean {
  return orUndefined(() => readFileSync(LOCKS)) !== undefined;
}

/**
 * Returns whether a process, or this one, has locked the database in a folder with RocksDB. False if the system does
 * not list locks, or if the process is in another container.
 */
export function isLockedByRocksDB(folder: string): boolean {
  const inode = orUndefined(() => statSync(join(folder, "LOCK"), { bigint: true }).ino);
  const locks = orUndefined(() => readFileSync(LOCKS, "latin1"));
  if (inode === undefined || locks === undefined) return false;
  // `1: POSIX  ADVISORY  WRITE 4711 08:01:123456 0 EOF`. `stat` may report another device.
  return locks.split("\n").some((line) => /^\d+: POSIX .* WRITE /.test(line) && line.includes(`:${inode} `));
}

/**
 * Takes the lock among processes that write without RocksDB.
 *
 * @returns the function that releases it; undefined if another process has it
 */
export function takeWriterLock(folder: string): (() => void) | undefined {
  const path = join(folder, WRITER_LOCK);
  const mine = join(folder, unfinishedName(WRITER_LOCK, "writing"));
  try {
    writeFileSync(
      mine,
      JSON.stringify({ ...thisProcess(), folder: identityOf(folder), boot: bootOfSystem() }),
    );
    if (!linkTo(mine, path) && !(removeAbandoned(folder, `${mine}-old`) && linkTo(mine, path)))
      return undefined;
    return () => rmSync(path, { force: true });
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Returns whether a process may hold the lock. */
export function isWriterLocked(folder: string): boolean {
  return mayBeHeld(join(folder, WRITER_LOCK), folder);
}

/** Gives a file a second name. Returns false if a file of that name exists. */
function linkTo(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of an ended process. Returns false if the process may be running. */
function removeAbandoned(folder: string, aside: string): boolean {
  const path = join(folder, WRITER_LOCK);
  if (mayBeHeld(path, folder)) return false;
  orUndefined(() => renameSync(path, aside)); // fails if another process has removed it
  // If another process has replaced the lock in between, its lock is restored.
  const isOther = mayBeHeld(aside, folder);
  if (isOther) linkTo(aside, path);
  rmSync(aside, { force: true });
  return !isOther;
}

/** Returns false if the file is missing or empty, or names another folder or an ended process; otherwise true. */
function mayBeHeld(path: string, folder: string): boolean {
  let text: string;
  try {
    const opened = openRegular(path);
    if (opened === undefined) return false;
    try {
      if (opened.size > LONGEST) return true;
      text = readFileSync(opened.descriptor, "utf8");
    } finally {
      closeSync(opened.descriptor);
    }
  } catch {
    return true;
  }
  const holder = orUndefined(() => JSON.parse(text) as Partial<Holder> | null);
  if (typeof holder?.pid !== "number" || typeof holder.start !== "number" || typeof holder.place !== "string")
    return false;
  if (holder.folder !== identityOf(folder) || isOfEarlierBoot(folder, holder.boot)) return false;
  return hasProcessEnded(holder as Holder) !== true;
}

/** Returns whether the system was restarted since a process took the lock, so that the process has ended. */
function isOfEarlierBoot(folder: string, boot: unknown): boolean {
  const now = bootOfSystem();
  if (now === undefined || typeof boot !== "string" || boot === now) return false;
  return OF_ONE_SYSTEM.includes(statfsSync(folder).type);
}

function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Files and folders that are being made have a name that tells who makes them: `.NAME.PURPOSE-PLACE-PID-START-RANDOM`. What
 * a process left behind that was killed can so be told from what another process is making, and removed.
 */

import { createHash, randomBytes } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { orUndefined } from "../errors.js";
import { isDatabaseFile } from "./folder.js";

const REST = /^\.(importing|backup|writing)-([0-9a-f]{8})-([0-9a-z]+)-([0-9a-z]+)-[0-9a-f]{8}$/;

/** Of a process that cannot be seen from here, in another container for example, nothing was written for this long. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** What is being made: a folder of an import or a backup, a file of an export. */
export type Purpose = "importing" | "backup" | "writing";

/** The name of something that this process begins to make, and that will be called `name`. */
export function unfinishedName(name: string, purpose: Purpose): string {
  const random = randomBytes(4).toString("hex");
  const { place, pid, start } = thisProcess();
  return `.${name}.${purpose}-${place}-${pid.toString(36)}-${start.toString(36)}-${random}`;
}

/**
 * Removes what processes that have ended left in `folder` of something that was to be called `name`. What is still being
 * made stays, what its maker may still be making too, and whatever holds a file that is not one of a database.
 */
export async function removeUnfinished(folder: string, name: string): Promise<void> {
  for (const found of namesIn(folder)) {
    const match = found.startsWith(`.${name}.`) ? REST.exec(found.slice(name.length + 1)) : null;
    if (match === null) continue;
    const [, purpose, place, pid, start] = match as unknown as [string, Purpose, string, string, string];
    const path = join(folder, found);
    const maker = { place, pid: Number.parseInt(pid, 36), start: Number.parseInt(start, 36) };
    try {
      if (isOurs(path, purpose) && hasEnded(maker, path)) await rm(path, { recursive: true, force: true });
    } catch {
      // Somebody else removes it, or owns it: what is to be made now does not depend on it.
    }
  }
}

interface Maker {
  /** Where process ids mean the same: the running system, and its namespace of processes. */
  readonly place: string;
  readonly pid: number;
  /** When it started, in the system's ticks; 0 where that is not known. */
  readonly start: number;
}

let self: Maker | undefined;

function thisProcess(): Maker {
  self ??= { place: placeOfProcesses(), pid: process.pid, start: statusOf("self")?.start ?? 0 };
  return self;
}

function placeOfProcesses(): string {
  const place = orUndefined(
    () => `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")}${readlinkSync("/proc/self/ns/pid")}`,
  );
  return createHash("sha256")
    .update(place ?? hostname())
    .digest("hex")
    .slice(0, 8);
}

interface Process {
  /** `R` running, `S` sleeping, `Z` ended and not yet asked for by its parent, … */
  readonly state: string;
  readonly start: number;
}

/** What the system says of a process; undefined where it says nothing. */
function statusOf(pid: number | "self"): Process | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name of the program, in parentheses, may hold anything. The state follows it; the start is field 22.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? undefined : { state: fields[0] ?? "", start: Number(fields[19]) };
}

function hasEnded(maker: Maker, path: string): boolean {
  const here = thisProcess();
  if (maker.place !== here.place) return lastWritten(path) < Date.now() - ABANDONED_MS;
  try {
    process.kill(maker.pid, 0); // only asks
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const found = statusOf(maker.pid);
  if (found === undefined) return false;
  // The system may have given the number to another process since.
  return found.state === "Z" || (maker.start !== 0 && found.start !== maker.start);
}

/** Whether it is what it should be by its name: a folder of nothing but a database's files, or a file. */
function isOurs(path: string, purpose: Purpose): boolean {
  const found = lstatSync(path);
  if (purpose === "writing") return found.isFile();
  return (
    found.isDirectory() &&
    readdirSync(path, { withFileTypes: true }).every((file) => file.isFile() && isDatabaseFile(file.name))
  );
}

function lastWritten(path: string): number {
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return Math.max(
    ...[path, ...inside.map((name) => join(path, name))].map((file) => lstatSync(file).mtimeMs),
  );
}

function namesIn(folder: string): readonly string[] {
  return orUndefined(() => readdirSync(folder)) ?? [];
}

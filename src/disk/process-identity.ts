/**
 * The identity of a process. A file contains the identity of its maker, so that another process can find out whether
 * the maker has ended.
 */

import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { orUndefined } from "../errors.js";

export interface ProcessIdentity {
  /** The scope of the process id: the boot of the system and its namespace of processes. */
  readonly place: string;
  readonly pid: number;
  /** Start time in ticks of the system; 0 if unknown. */
  readonly start: number;
}

let self: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  self ??= { place: placeOfProcesses(), pid: process.pid, start: statusOf("self")?.start ?? 0 };
  return self;
}

/** Returns whether a process has ended; undefined if it is not visible here, for example in another container. */
export function hasProcessEnded({ place, pid, start }: ProcessIdentity): boolean | undefined {
  if (place !== thisProcess().place) return undefined;
  try {
    process.kill(pid, 0); // checks for existence only
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const found = statusOf(pid);
  if (found === undefined) return false;
  // The system may have reused the process id.
  return found.state === "Z" || (start !== 0 && found.start !== start);
}

function placeOfProcesses(): string {
  const place = orUndefined(() => `${readBoot()}${readlinkSync("/proc/self/ns/pid")}`);
  return shortHash(place ?? hostname());
}

/** The name of the system's boot; undefined if the system has none. Only Linux has one. */
export function bootOfSystem(): string | undefined {
  return orUndefined(() => shortHash(readBoot()));
}

function readBoot(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

interface Process {
  /** `R` running, `S` sleeping, `Z` ended but not yet reaped, … */
  readonly state: string;
  readonly start: number;
}

/** The status of a process; undefined if the system does not report it. */
function statusOf(pid: number | "self"): Process | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name of the program, in parentheses, may contain any character. The state follows it; the start time is field
  // 22.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? undefined : { state: fields[0] ?? "", start: Number(fields[19]) };
}

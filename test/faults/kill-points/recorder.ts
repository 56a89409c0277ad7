/** The states of a folder that a kill can leave, between the calls of a writer that change it. */

import fs, { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { WRITER_LOCK } from "../../../src/disk/folder.js";

/** The files of a folder and of the folders in it, by name. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Any function of Node. */
type Call = (this: unknown, ...given: unknown[]) => unknown;
type Calls = Record<string, Call>;

/** The functions that change a folder; each change calls one of them. */
const CHANGES = [
  { of: promises as unknown as Calls, names: ["open", "rename", "rm", "writeFile", "mkdir"] },
  { of: fs as unknown as Calls, names: ["writeFileSync", "linkSync", "renameSync", "rmSync"] },
];

/** The numbers of bytes that a killed write may leave: one, the header of a record, half, all but one. */
function partsOf(length: number): number[] {
  return [1, 7, Math.floor(length / 2), length - 1].filter((part, at, all) => part > (all[at - 1] ?? 0));
}

/**
 * Runs a program, and calls `onPoint` with the files of a folder before and after each change to it, and within each
 * write. It leaves out syncs, which do not change what a kill leaves.
 */
export async function recordPoints(
  folder: string,
  run: () => Promise<void>,
  onPoint: (files: Files) => void,
): Promise<void> {
  const undo: (() => void)[] = [];
  const replace = (of: Calls, name: string, by: (call: Call) => Call): void => {
    const call = of[name] as Call;
    of[name] = by(call);
    undo.push(() => {
      of[name] = call;
    });
  };
  const point = (): void => {
    const files = filesOf(folder);
    if (files !== undefined) onPoint(files);
  };
  const handle = await promises.open(import.meta.filename, "r");
  const prototype = Object.getPrototypeOf(handle) as Calls;
  const { write } = prototype;
  await handle.close();
  try {
    for (const { of, names } of CHANGES)
      for (const name of names)
        replace(
          of,
          name,
          (call) =>
            function (...given) {
              const result = call.apply(this, given);
              if (!(result instanceof Promise)) point();
              return result instanceof Promise ? result.finally(point) : result;
            },
        );
    replace(
      fs as unknown as Calls,
      "writeSync",
      (call) =>
        function (file, bytes, offset, length, position) {
          for (const part of [...partsOf(length as number), length]) {
            call.call(this, file, bytes, offset, part, position);
            point();
          }
          return length;
        },
    );
    replace(
      prototype,
      "write",
      (call) =>
        async function (bytes, offset, length, position) {
          for (const part of partsOf(length as number)) {
            await call.call(this, bytes, offset, part, position);
            point();
          }
          const result = await call.call(this, bytes, offset, length, position);
          point();
          return result;
        },
    );
    replace(
      prototype,
      "writeFile",
      () =>
        async function (given) {
          const bytes = given as Uint8Array;
          let done = 0;
          for (const part of [...partsOf(bytes.length), bytes.length]) {
            await (write as Call).call(this, bytes, done, part - done, null);
            done = part;
            point();
          }
        },
    );
    replace(
      prototype,
      "truncate",
      (call) =>
        async function (...given) {
          await call.apply(this, given);
          point();
        },
    );
    for (const name of ["sync", "datasync"]) replace(prototype, name, () => async () => undefined);
    syncBuiltinESMExports();
    await run();
  } finally {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
  }
}

function filesOf(folder: string): Files | undefined {
  try {
    const names = readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    return new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
  } catch {
    return undefined; // the folder is not there yet
  }
}

/** No process has this id. */
const ENDED = 2 ** 30;

/** Fills a folder with the files that a kill left. Locks and unfinished folders name a process that has ended. */
export function restoreFiles(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [found, content] of files) {
    const name = found.replace(/-[0-9a-z]+(-[0-9a-z]+-[0-9a-f]{8}(\/|$))/, `-${ENDED.toString(36)}$1`);
    const text = basename(name) === WRITER_LOCK ? Buffer.from(content).toString() : "";
    const lock = /"pid":\d+/.test(text) ? text.replace(/"pid":\d+/, `"pid":${ENDED}`) : undefined;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), lock ?? content);
  }
}

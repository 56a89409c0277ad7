/**
 * Finds the files of a database on a web server without a list of files: the files that CURRENT and the MANIFEST name,
 * and the logs.
 */
import { MerostoreError } from "../../errors.js";
import { MOST_BYTES, parseManifest } from "../catalog/catalog.js";
import { logName, manifestIn, tableName } from "../catalog/file-names.js";
import { MOST_LOG_BYTES } from "../catalog/log-replay.js";
import type { Manifest } from "../format/manifest.js";
import type { IndexedFile } from "./files-index.js";
import type { Requests } from "./requests.js";

/** The name and the size of a file, and its content if it was read. */
export interface KnownFile extends Pick<IndexedFile, "name" | "size"> {
  readonly sha256?: string;
  /** The content, if finding the file required reading it. */
  readonly bytes?: Uint8Array;
}

/** The files of a folder. */
interface NamedFiles {
  readonly files: Map<string, KnownFile>;
  /** The number of the last write-ahead log that the server was asked for. */
  readonly lastSought?: number;
}

/** A writer numbers its files in order. It may have made so many since the newest known file. */
const AHEAD = 32;

/**
 * The most logs to ask for before the newest known file, the most logs of a database, and the most requests at a time.
 */
const MOST_PROBES = 10_000;
const MOST_LOGS = 1000;
const AT_ONCE = 8;

/**
 * Finds the files. No file names the logs, but the MANIFEST limits their numbers, so the server is asked for each
 * number.
 *
 * @throws MerostoreError NETWORK_ERROR, DATABASE_DAMAGED
 */
export async function namedFiles(requests: Requests): Promise<NamedFiles> {
  const files = new Map<string, KnownFile>();
  const read = async (name: string, most: number): Promise<Uint8Array | undefined> => {
    const bytes = await requests.whole(name, most);
    if (bytes !== undefined) files.set(name, { name, size: bytes.length, bytes });
    return bytes;
  };
  const current = await read("CURRENT", MOST_BYTES.current);
  const manifestName = current && manifestIn(current);
  // Reading the database reports a damaged CURRENT or a missing MANIFEST.
  const bytes = manifestName === undefined ? undefined : await read(manifestName, MOST_BYTES.manifest);
  if (manifestName === undefined || bytes === undefined) return { files };
  const { manifest } = parseManifest(requests.where(manifestName), bytes);
  for (const { number, size } of manifest.liveFiles)
    files.set(tableName(number), { name: tableName(number), size });
  let logs = 0;
  const lastSought = await findLogs(manifest, async (number) => {
    const log = await read(logName(number), MOST_LOG_BYTES);
    if (log !== undefined && logs++ === MOST_LOGS)
      throw new MerostoreError(
        "NETWORK_ERROR",
        `${requests.where("")} cannot be read: the server has more than ${MOST_LOGS} write-ahead logs, as if it had a file of any name`,
      );
    return log;
  });
  return { files, lastSought };
}

/** Asks for every log that may exist, and for some numbers after the last existing one. Returns the last number. */
async function findLogs(
  { minLogNumber, nextFileNumber, liveFiles, deletedFiles }: Manifest,
  read: (number: number) => Promise<Uint8Array | undefined>,
): Promise<number> {
  const live = new Set(liveFiles.map(({ number }) => number));
  let last = Math.max(nextFileNumber, minLogNumber) + AHEAD;
  let next = Math.max(minLogNumber, last - MOST_PROBES);
  const look = async (): Promise<void> => {
    while (next <= last) {
      const number = next++;
      if (live.has(number) || deletedFiles.has(number) || (await read(number)) === undefined) continue;
      last = Math.max(last, number + AHEAD);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return last;
}

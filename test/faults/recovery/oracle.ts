/** The rows that a recovery must have: changes outside of damaged blocks and records make them. */

import { Tombstones } from "../../../src/engines/files/read/tombstones.js";
import type { Dictionary, Place, Places } from "./places.js";

/** For each column family with rows, a map from keys to values, both in hex. */
export type RowTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The bytes of damaged files, or undefined for a removed file. All other files are unchanged. */
export type Files = ReadonlyMap<string, Uint8Array | undefined>;

/** Blocks of keys and values; like compressed blocks, they can be found without an index. */
const WITNESSES = ["data", "range_del", "properties", "metaindex"];

/** Bytes of a block without entries. */
const EMPTY = 8;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/**
 * Returns whether a recovery can find the dictionary of a block.
 *
 * @param survives returns whether bytes are undamaged
 */
export function canBeFound(dictionary: Dictionary | undefined, survives: (place: Place) => boolean): boolean {
  if (dictionary === undefined) return true;
  const { place, metaindex, next } = dictionary;
  return survives(place) && (survives(metaindex) || survives(next));
}

/**
 * The rows that undamaged changes make.
 *
 * @param nameOf returns the column family that a recovery gives to a change in a file
 */
export function survivingRows(
  { entries, ranges, blocks, versions }: Places,
  originals: ReadonlyMap<string, Uint8Array>,
  damaged: Files,
  nameOf: (file: string, column: string) => string = (_file, column) => column,
): RowTexts {
  // Without a MANIFEST nothing tells which logs are obsolete.
  const isGuided = ![...damaged].some(([name]) => name.startsWith("MANIFEST"));
  const unverifiable = new Set(
    [...damaged].flatMap(([file, bytes]) => {
      const original = originals.get(file) as Uint8Array;
      const isCut = file.endsWith(".sst") && bytes !== undefined && bytes.length < original.length;
      if (!isCut || (versions.get(file) ?? 0) < 6) return [];
      // Without the footer, the number that is part of every checksum is known once two blocks agree on it.
      const whole = (blocks.get(file) ?? []).filter(
        ({ name, handle }) =>
          (WITNESSES.includes(name) ||
            handle.size === EMPTY ||
            original[handle.offset + handle.size] !== 0) &&
          handle.offset + handle.size + 5 <= bytes.length,
      );
      return whole.length < 2 ? [file] : [];
    }),
  );
  const seen = new Map<string, boolean>();
  const survives = ({ file, start, end }: Place): boolean => {
    if (!damaged.has(file)) return true;
    const name = `${file} ${start}`;
    const known = seen.get(name);
    if (known !== undefined) return known;
    const bytes = damaged.get(file);
    const original = originals.get(file) as Uint8Array;
    const is =
      bytes !== undefined &&
      !unverifiable.has(file) &&
      end <= bytes.length &&
      Buffer.compare(bytes.subarray(start, end), original.subarray(start, end)) === 0;
    seen.set(name, is);
    return is;
  };
  const newest = new Map<
    string,
    Map<string, { sequence: number; key: Uint8Array; value: Uint8Array | undefined }>
  >();
  for (const { place, key, sequence, value, isObsolete, ...entry } of entries) {
    if ((isGuided && isObsolete) || !survives(place) || !canBeFound(entry.dictionary, survives)) continue;
    const column = nameOf(place.file, entry.column);
    const rows = newest.get(column) ?? new Map();
    newest.set(column, rows);
    const before = rows.get(hex(key));
    if (before === undefined || before.sequence < sequence) rows.set(hex(key), { sequence, key, value });
  }
  const result = new Map<string, Map<string, string>>();
  for (const [column, rows] of newest) {
    const deletions = ranges.filter(
      (range) =>
        !(isGuided && range.isObsolete) &&
        nameOf(range.place.file, range.column) === column &&
        survives(range.place),
    );
    const tombstones = new Tombstones(deletions.map(({ deletion }) => deletion));
    const left = [...rows].filter(
      ([, { key, sequence, value }]) =>
        value !== undefined && !tombstones.cover(key, 0, key.length, sequence),
    );
    if (left.length > 0)
      result.set(column, new Map(left.map(([key, { value }]) => [key, hex(value as Uint8Array)])));
  }
  return result;
}

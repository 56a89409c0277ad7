/** The rows of a page's database, as the document lays them out. */

import { compareBytes, concat } from "merostore/internal";
import { describe, expect, it } from "vitest";
import type { ObjectIdentifier } from "../../src/objects.js";
import {
  commitEdgeRow,
  commitRow,
  eagerEdgeRow,
  headRow,
  lazyEdgeRow,
  mergeRow,
  objectRow,
  onlineRow,
  pageRows,
  statusRows,
  syncMetadataRow,
  unsyncedCommitRow,
} from "../../src/rows/page-rows.js";
import { type AnyRow, nameRow } from "../../src/rows/row.js";
import { digest, text } from "../inputs.js";

// All of them hold slashes, and the ids of a pair look like the text between them.
const commit = text("commit/commit/commit/commit/comm");
const left = text("left/left/left/left/left/left/le");
const right = text("right/right/right/right/right/ri");
const to = concat(Uint8Array.of(0), text("/object/eager//object/eager//obj"));
const from = concat(Uint8Array.of(6), text("/object/lazy//commit//object/laz"));
const identifier: ObjectIdentifier = { keyIndex: 1, digest: to };
const status = concat(text("/objects/"), to, Uint8Array.of(1, 0, 0, 0));

interface Case {
  /** The key in upstream's test of rows, whose ids are shorter. */
  readonly upstream: string;
  readonly row: AnyRow;
  readonly parts: Record<string, unknown>;
  readonly key: Uint8Array;
  readonly size: number | undefined;
}

const cases: readonly Case[] = [
  { upstream: "heads/head", row: headRow, parts: { commit }, key: concat(text("heads/"), commit), size: 38 },
  {
    upstream: "merges/parent1/parent2/merge",
    row: mergeRow,
    parts: { left, right, commit },
    key: concat(text("merges/"), left, text("/"), right, text("/"), commit),
    size: 105,
  },
  {
    upstream: "commits/commit",
    row: commitRow,
    parts: { commit },
    key: concat(text("commits/"), commit),
    size: 40,
  },
  {
    upstream: "objects/object",
    row: objectRow,
    parts: { digest: to },
    key: concat(text("objects/"), to),
    size: 41,
  },
  {
    upstream: "refcounts/0123456789ABCDEF0123456789ABCDEF0/object/eager/source",
    row: eagerEdgeRow,
    parts: { destination: to, source: from },
    key: concat(text("refcounts/"), to, text("/object/eager/"), from),
    size: 90,
  },
  {
    upstream: "refcounts/0123456789ABCDEF0123456789ABCDEF0/object/lazy/source",
    row: lazyEdgeRow,
    parts: { destination: to, source: from },
    key: concat(text("refcounts/"), to, text("/object/lazy/"), from),
    size: 89,
  },
  {
    upstream: "refcounts/0123456789ABCDEF0123456789ABCDEF0/commit/source",
    row: commitEdgeRow,
    parts: { destination: to, commit },
    key: concat(text("refcounts/"), to, text("/commit/"), commit),
    size: 83,
  },
  {
    upstream: "unsynced/commits/commit",
    row: unsyncedCommitRow,
    parts: { commit },
    key: concat(text("unsynced/commits/"), commit),
    size: 49,
  },
  {
    upstream: "transient/objects/0123456789ABCDEF0123456789ABCDEF0 and 01 00 00 00",
    row: statusRows.transient,
    parts: { identifier },
    key: concat(text("transient"), status),
    size: 55,
  },
  {
    upstream: "local/objects/0123456789ABCDEF0123456789ABCDEF0 and 01 00 00 00",
    row: statusRows.local,
    parts: { identifier },
    key: concat(text("local"), status),
    size: 51,
  },
  {
    upstream: "synced/objects/0123456789ABCDEF0123456789ABCDEF0 and 01 00 00 00",
    row: statusRows.synced,
    parts: { identifier },
    key: concat(text("synced"), status),
    size: 52,
  },
  {
    upstream: "sync_metadata/metadata",
    row: syncMetadataRow,
    parts: { key: text("metadata") },
    key: text("sync_metadata/metadata"),
    size: undefined,
  },
  { upstream: "page_is_online", row: onlineRow, parts: {}, key: text("page_is_online"), size: 14 },
];

describe("keys of a page's rows", () => {
  it.each(cases)("$upstream has the documented layout", ({ row, parts, key, size }) => {
    expect(row.key.encode(parts)).toEqual(key);
    expect(row.key.parse(key)).toEqual(parts);
    if (size !== undefined) expect(key.length).toBe(size);
  });

  it.each(cases)("$upstream is named by its key alone", ({ row, key }) => {
    expect(nameRow(pageRows, { key, value: new Uint8Array(0) })?.row).toBe(row);
  });

  it("cover every row that is declared", () => {
    expect(cases.map(({ row }) => row)).toEqual(pageRows);
  });

  it.each(cases.filter(({ size }) => size !== undefined))("$upstream has one size only", ({ row, key }) => {
    expect(row.key.parse(key.subarray(0, -1))).toBeUndefined();
    expect(row.key.parse(concat(key, Uint8Array.of(0)))).toBeUndefined();
  });

  it("are not encoded with an id of another size", () => {
    expect(() => headRow.key.encode({ commit: text("head") })).toThrow("expected 32 bytes, found 4");
    expect(() => objectRow.key.encode({ digest: Uint8Array.of(1) })).toThrow("expected 33 bytes, found 1");
  });

  it("hold no inline and no impossible digest", () => {
    for (const type of [1, 3, 5, 8, 0x80]) {
      expect(objectRow.key.parse(concat(text("objects/"), digest(7, type)))).toBeUndefined();
      const key = concat(text("local/objects/"), digest(7, type), Uint8Array.of(1, 0, 0, 0));
      expect(statusRows.local.key.parse(key)).toBeUndefined();
    }
    for (const type of [0, 2, 4, 6])
      expect(objectRow.key.parse(concat(text("objects/"), digest(7, type)))).toEqual({
        digest: digest(7, type),
      });
  });
});

describe("identifiers in keys", () => {
  const decode = (bytes: Uint8Array) => statusRows.local.key.parse(concat(text("local/objects/"), bytes));

  it.each([
    ["foo", text("foo")],
    ["38 characters", text("0123456789ABCDEF0123456789ABCDEF012345")],
    ["0f and 36 characters", concat(Uint8Array.of(0x0f), text("0123456789ABCDEF0123456789ABCDEF0123"))],
  ])("are refused: %s", (_, bytes) => {
    expect(decode(bytes)).toBeUndefined();
  });

  it("are the digest and the key index, least byte first", () => {
    const value = { keyIndex: 0xfffefdfc, digest: digest(7) };
    const key = statusRows.local.key.encode({ identifier: value });
    expect(key.subarray(-4)).toEqual(Uint8Array.of(0xfc, 0xfd, 0xfe, 0xff));
    expect(statusRows.local.key.parse(key)).toEqual({ identifier: value });
  });
});

describe("values of a page's rows", () => {
  it("are the time of a head, in nanoseconds, least byte first", () => {
    expect(headRow.value.encode(1000n)).toEqual(Uint8Array.of(0xe8, 3, 0, 0, 0, 0, 0, 0));
    for (const time of [-(2n ** 63n), -1n, 0n, 2n ** 63n - 1n])
      expect(headRow.value.decode(headRow.value.encode(time))).toBe(time);
  });

  it("are the generation of an unsynced commit, least byte first", () => {
    expect(unsyncedCommitRow.value.encode(2n)).toEqual(Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0));
  });

  it("are empty for merges, edges and statuses", () => {
    for (const row of [mergeRow, eagerEdgeRow, lazyEdgeRow, commitEdgeRow, onlineRow])
      expect(row.value.encode(null)).toEqual(new Uint8Array(0));
  });

  it("that cannot be are named with their row", () => {
    const key = headRow.key.encode({ commit });
    expect(() => headRow.decode({ key, value: new Uint8Array(7) })).toThrow(
      expect.objectContaining({
        code: "DATA_INTEGRITY_ERROR",
        message: expect.stringMatching(/^the head row 6865/),
      }),
    );
    expect(nameRow(pageRows, { key, value: new Uint8Array(7) })?.damage).toContain(
      "a time is 8 bytes, not 7",
    );
  });
});

describe("ranges of a page's rows", () => {
  const inside = (row: AnyRow, leading: Record<string, unknown>, key: Uint8Array) => {
    const range = row.range(leading);
    const isAfter = compareBytes(key, range.gte as Uint8Array) >= 0;
    return isAfter && (range.lt === undefined || compareBytes(key, range.lt) < 0);
  };

  it("hold the merges of two parents, whatever their commits", () => {
    const key = (l: Uint8Array, r: Uint8Array, id: Uint8Array) =>
      mergeRow.key.encode({ left: l, right: r, commit: id });
    for (const id of [new Uint8Array(32), commit, new Uint8Array(32).fill(255)])
      expect(inside(mergeRow, { left, right }, key(left, right, id))).toBe(true);
    expect(inside(mergeRow, { left, right }, key(right, left, commit))).toBe(false);
    expect(inside(mergeRow, { left, right }, key(left, commit, right))).toBe(false);
  });

  it("distinguish eager and lazy referrers of a piece, and both from commits", () => {
    const eager = eagerEdgeRow.key.encode({ destination: to, source: digest(255) });
    const lazy = lazyEdgeRow.key.encode({ destination: to, source: digest(0) });
    const root = commitEdgeRow.key.encode({ destination: to, commit });
    expect([eager, lazy, root].map((key) => inside(eagerEdgeRow, { destination: to }, key))).toEqual([
      true,
      false,
      false,
    ]);
    expect([eager, lazy, root].map((key) => inside(lazyEdgeRow, { destination: to }, key))).toEqual([
      false,
      true,
      false,
    ]);
    expect([eager, lazy, root].map((key) => inside(commitEdgeRow, { destination: to }, key))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

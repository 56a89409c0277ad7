/** Rows of deltas of core-1.0: from two other programs, and from upstream's tests. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { type DecodeError, type Json, Payload } from "../../src/codec/index.js";
import { DeltaRow, deltaRow } from "../../src/payloads/index.js";
import { fixturePath } from "../support/fixtures.js";
import { bytesOf, roundTrip, upstream } from "./core-1.0.js";

type Fields = { readonly [name: string]: Json };

interface Rows {
  readonly valid: readonly { readonly bytes: string; readonly value: Fields }[];
  readonly invalid: readonly { readonly bytes: string; readonly reason: string; readonly how: string }[];
}

const { valid, invalid } = JSON.parse(
  gunzipSync(readFileSync(fixturePath("core-1.0", "delta-rows.json.gz"))).toString("utf8"),
) as Rows;

/** The id of a row in version 1; the row's bytes lack it. */
const NO_ID = new Uint8Array(32).fill(0xee);

/** The JSON form of a value with the names of the fixtures. */
function named(row: DeltaRow): Fields {
  const { kind, delegation, ...fields } = DeltaRow.toJson(row) as Fields;
  const hex = (part: { readonly bytes: Uint8Array } | null) => (part === null ? null : toHex(part.bytes));
  return {
    deltaId: null,
    ...fields,
    layout: kind as Json,
    actions: hex(row.actions),
    governancePositionBlob: hex(row.governancePositionBlob),
    delegation: delegation === undefined || delegation === null ? null : renamed(delegation as Fields),
  };
}

const renamed = ({ kind, ...delegation }: Fields): Fields => ({ ...delegation, warrantLayout: kind as Json });

/** Parts of the messages of refusals, by the reason that the fixtures state. */
const REASONS: Readonly<Record<string, RegExp>> = {
  trailing: /expected the end, found \d+ more/,
  "a byte after the row": /expected the end, found \d+ more/,
  "hlc-id-zero": /hlc\.id .*expected an id other than 0/,
  "varint-overflow": /expected a number of at most (64 bits|10 bytes)/,
  "varint-not-minimal": /expected a number in its shortest form/,
  "delegation-past-end": /delegation.* more byte|delegation.*elements of at least|delegation.*bytes, found/,
  "past-end": /more byte|elements of at least|bytes, found \d+$/,
  "reserved-flag": /expected flags of a delta, at most 7f/,
  "parent-count": /expected \d+ ids of 32 bytes/,
  "option-tag": /expected 00 \(none\) or 01 \(some\)/,
};

describe("rows of deltas", () => {
  it("decode to their values, and encode to the same bytes", () => {
    for (const { bytes, value } of valid) {
      const id = value.deltaId === null ? NO_ID : fromHex(value.deltaId as string);
      expect(named(roundTrip(deltaRow(id), fromHex(bytes)))).toEqual(value);
    }
    expect(new Set(valid.map(({ value }) => value.layout)).size).toBe(4);
  });

  it("decode without their keys", () => {
    for (const { bytes, value } of valid) expect(named(roundTrip(DeltaRow, fromHex(bytes)))).toEqual(value);
  });

  it("take no text for their parents, not even an empty one", () => {
    const [{ bytes } = { bytes: "" }] = valid.filter(({ value }) => value.layout === "v1");
    const row = DeltaRow.decode(fromHex(bytes));
    expect(() => DeltaRow.encode({ ...row, parents: "" as never })).toThrow(/parents: expected a list/);
  });

  it("of Borsh whose id begins as version 1 does are told apart by the key", () => {
    const alike = valid.filter(({ value }) => String(value.deltaId).startsWith("cd01"));
    expect(alike.length).toBeGreaterThan(0);
    for (const { bytes, value } of alike) {
      const row = fromHex(bytes);
      expect(deltaRow(fromHex(value.deltaId as string)).decode(row).kind).toBe("legacy-16-delegation");
      expect(() => deltaRow(NO_ID).decode(row)).toThrow(expect.objectContaining({ code: "DECODE_FAILED" }));
    }
  });

  it("are refused for the reason", () => {
    for (const { bytes, reason, how } of invalid)
      for (const codec of [DeltaRow, deltaRow(NO_ID)]) {
        let message = "no error";
        try {
          codec.decode(fromHex(bytes));
        } catch (error) {
          message = (error as DecodeError).message;
        }
        expect(message, `${reason}: ${bytes.slice(0, 80)}`).toMatch(
          (REASONS[how] ?? REASONS[reason]) as RegExp,
        );
      }
  });

  it("that upstream's tests state decode or are refused", () => {
    for (const line of upstream("DeltaRow")) {
      const bytes = bytesOf(line);
      if (line.invalid === undefined) expect(roundTrip(deltaRow(NO_ID), bytes).kind).toBe("v1");
      else expect(() => deltaRow(NO_ID).decode(bytes)).toThrow("expected");
    }
    const [genesis] = upstream("DeltaRow").filter(({ value }) => String(value).startsWith("genesis"));
    const row = DeltaRow.decode(bytesOf(genesis as never));
    expect(row).toMatchObject({ applied: true, hlc: { time: 7n, id: 1n }, events: null, delegation: null });
    expect(row.parents.map(toHex)).toEqual(["00".repeat(32)]);
    expect(toHex(row.actions.bytes)).toBe("010203");
  });

  it("keep their layout when they are changed", () => {
    for (const { bytes } of valid) {
      const row = DeltaRow.decode(fromHex(bytes));
      const changed = DeltaRow.encode({ ...row, applied: !row.applied });
      expect(changed.length).toBe(bytes.length / 2);
      expect(DeltaRow.decode(changed).kind).toBe(row.kind);
    }
  });

  it("are written in the layout that the value names, or not at all", () => {
    const row = DeltaRow.decode(fromHex(valid[0]?.bytes as string));
    expect(() => DeltaRow.encode({ ...row, kind: "legacy-24" } as never)).toThrow("no such field");
    expect(() => DeltaRow.encode({ ...row, kind: "v2" } as never)).toThrow("expected one of v1, legacy-16");
    const { hlc } = row;
    expect(() => DeltaRow.encode({ ...row, hlc: { ...hlc, id: 1n << 64n } } as never)).toThrow("hlc.id");
  });
});

describe("actions of deltas", () => {
  const list = (hex: string) =>
    DeltaRow.decode(fromHex(`cd010100${hex}07${"00".repeat(7)}01${"00".repeat(7)}`));
  const time = "0100000000000000";
  const add = (ancestors: string, metadata: string) =>
    `0100000000${"11".repeat(32)}02000000aabb${ancestors}${metadata}`;

  it("are tried with both counts of ancestors and all forms of metadata", () => {
    const ids = `${"22".repeat(32)}`;
    const forms = {
      ShortIds: add(`01${ids}`, `00${time}00`),
      LongIds: add(`01000000${ids}`, `00${time}00`),
      ShortIdsPlain: add(`01${ids}`, `${time}${time}${"00".repeat(12)}`),
    };
    for (const [kind, hex] of Object.entries(forms)) {
      const value = list(`${(hex.length / 2).toString(16)}${hex}`).actions.value as {
        kind: string;
        actions: unknown;
      };
      expect(value.kind).toBe(kind);
      expect(value.actions).toMatchObject([{ kind: "Add", ancestors: [new Uint8Array(32).fill(0x22)] }]);
    }
  });

  it("that decode in no form stay bytes", () => {
    expect(list("0401020304").actions).toBeInstanceOf(Payload);
    expect(list("0401020304").actions.value).toBeUndefined();
  });
});

/** Keys sort like their parts, and a range holds exactly the keys with the same leading parts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes, successor } from "../../src/bytes/order.js";
import {
  ContextStateDocumented,
  GroupContextMemberCap,
  GroupMember010,
  GroupMeta,
  GroupOpLog,
} from "../../src/keys/index.js";
import { type AnyRow, core010 } from "../../src/schemas/index.js";

const edge = fc.constantFrom(0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff);
/** Ids that are often neighbours: one byte repeated, with another last byte now and then. */
const id = fc.tuple(edge, edge).map(([all, last]) => {
  const bytes = new Uint8Array(32).fill(all);
  bytes[31] = last;
  return bytes;
});
const sequence = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fc.constantFrom(
    0n,
    1n,
    254n,
    255n,
    256n,
    257n,
    65535n,
    65536n,
    1n << 32n,
    (1n << 53n) - 1n,
    1n << 53n,
    (1n << 53n) + 1n,
    (1n << 64n) - 1n,
  ),
);

function holds(
  { gte: from, lt: to }: { gte: Uint8Array | undefined; lt: Uint8Array | undefined },
  key: Uint8Array,
): boolean {
  return (
    (from === undefined || compareBytes(from, key) <= 0) && (to === undefined || compareBytes(key, to) < 0)
  );
}

describe("order", () => {
  it("of sequences is numeric", () => {
    fc.assert(
      fc.property(id, sequence, sequence, (groupId, a, b) => {
        const order = compareBytes(
          new GroupOpLog({ groupId, sequence: a }).bytes,
          new GroupOpLog({ groupId, sequence: b }).bytes,
        );
        expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it("of keys is that of their concatenated parts", () => {
    fc.assert(
      fc.property(id, id, id, id, id, id, (g1, c1, m1, g2, c2, m2) => {
        const a = new GroupContextMemberCap({ groupId: g1, contextId: c1, member: m1 });
        const b = new GroupContextMemberCap({ groupId: g2, contextId: c2, member: m2 });
        const byParts = compareBytes(g1, g2) || compareBytes(c1, c2) || compareBytes(m1, m2);
        expect(Math.sign(compareBytes(a.bytes, b.bytes))).toBe(Math.sign(byParts));
      }),
    );
  });
});

describe("ranges", () => {
  it("of a group contain its keys, but no keys of neighbours or other kinds", () => {
    fc.assert(
      fc.property(id, id, id, sequence, (groupId, other, identity, position) => {
        const same = compareBytes(groupId, other) === 0;
        expect(
          holds(GroupMember010.range({ groupId }), new GroupMember010({ groupId: other, identity }).bytes),
        ).toBe(same);
        expect(
          holds(GroupOpLog.range({ groupId }), new GroupOpLog({ groupId: other, sequence: position }).bytes),
        ).toBe(same);
        expect(
          holds(
            GroupMember010.range({ groupId }),
            new GroupOpLog({ groupId: other, sequence: position }).bytes,
          ),
        ).toBe(false);
        expect(holds(GroupMember010.range({}), new GroupMember010({ groupId: other, identity }).bytes)).toBe(
          true,
        );
        expect(holds(GroupMember010.range({}), new GroupMeta({ groupId: other }).bytes)).toBe(false);
      }),
    );
  });

  it("of a context contain all lengths of state keys, also after FF…FF", () => {
    fc.assert(
      fc.property(id, id, fc.uint8Array({ maxLength: 40 }), (contextId, other, stateKey) => {
        const key = new ContextStateDocumented({ contextId: other, stateKey });
        expect(holds(ContextStateDocumented.range({ contextId }), key.bytes)).toBe(
          compareBytes(contextId, other) === 0,
        );
      }),
    );
    const last = new Uint8Array(32).fill(0xff);
    expect(ContextStateDocumented.range({ contextId: last }).lt).toBeUndefined();
  });

  it("of every kind contain only keys of that kind", () => {
    const rows: readonly AnyRow[] = core010.rows;
    for (const row of rows) {
      for (const other of rows.filter(({ column }) => column === row.column)) {
        const bytes = new Uint8Array(other.key.SIZE).fill(0xff);
        if (other.key.PREFIX !== undefined) bytes[0] = other.key.PREFIX;
        expect(holds(row.key.range({}), bytes)).toBe(row === other);
      }
    }
  });

  it("end at the successor of the prefix", () => {
    expect(successor(Uint8Array.of(1, 0xff, 0xff))).toEqual(Uint8Array.of(2));
    expect(successor(Uint8Array.of(0xff, 0xff))).toBeUndefined();
    expect(successor(new Uint8Array())).toBeUndefined();
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.uint8Array({ maxLength: 6 }),
        (prefix, key) => {
          const begins = prefix.every((byte, at) => key[at] === byte);
          expect(holds({ gte: prefix, lt: successor(prefix) }, key)).toBe(begins);
        },
      ),
    );
  });
});

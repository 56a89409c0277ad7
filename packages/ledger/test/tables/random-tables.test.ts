/** Tables of random content, and bytes that are not tables. */
import fc from "fast-check";
import { compareBytes, isMerostoreError } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { thrown } from "../../../../test/support/rejection.js";
import type { ObjectDigest, ObjectIdentifier } from "../../src/objects.js";
import { decodeCommit, encodeCommit } from "../../src/tables/commit-table.js";
import { decodeFileIndex, encodeFileIndex } from "../../src/tables/file-index.js";
import { decodeNode, encodeNode, type TreeEntry, type TreeNode } from "../../src/tables/tree-node.js";

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const digests: fc.Arbitrary<ObjectDigest> = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, 3, 5, 7), fc.uint8Array({ maxLength: 32 }))
    .map(([type, data]) => Uint8Array.of(type, ...data)),
  fc.tuple(fc.constantFrom(0, 2, 4, 6), bytes(32)).map(([type, data]) => Uint8Array.of(type, ...data)),
);
const identifiers: fc.Arbitrary<ObjectIdentifier> = fc.record({
  keyIndex: fc.nat({ max: 0xffffffff }),
  digest: digests,
});
const entries: fc.Arbitrary<TreeEntry[]> = fc
  .uniqueArray(
    fc.record({
      key: fc.uint8Array({ maxLength: 40 }),
      value: identifiers,
      priority: fc.constantFrom("eager" as const, "lazy" as const),
    }),
    { selector: ({ key }) => key.join(), maxLength: 12 },
  )
  .map((list) => list.sort((a, b) => compareBytes(a.key, b.key)));
const nodes: fc.Arbitrary<TreeNode> = entries.chain((list) =>
  fc.record({
    level: fc.nat({ max: 255 }),
    entries: fc.constant(list),
    children: fc.array(fc.option(identifiers, { nil: undefined }), {
      minLength: list.length + 1,
      maxLength: list.length + 1,
    }),
  }),
);
const indexes = fc.array(
  fc.record({ identifier: identifiers, size: fc.bigInt({ min: 0n, max: 2n ** 50n }) }),
  {
    maxLength: 20,
  },
);
const commits = fc.record({
  timestamp: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  generation: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  root: identifiers,
  parents: fc.array(bytes(32), { minLength: 1, maxLength: 2 }),
});

describe("encoded values decode to equal values", () => {
  it("for tree nodes", () => {
    fc.assert(
      fc.property(nodes, (node) => {
        expect(decodeNode(encodeNode(node))).toEqual(node);
      }),
    );
  });

  it("for indexes", () => {
    fc.assert(
      fc.property(indexes, (children) => {
        expect(decodeFileIndex(encodeFileIndex(children)).children).toEqual(children);
      }),
    );
  });

  it("for commits", () => {
    fc.assert(
      fc.property(commits, (commit) => {
        expect(decodeCommit(encodeCommit(commit))).toEqual(commit);
      }),
    );
  });
});

/** Its digest fills its place: a table ends without padding, which may be cut off. */
const identifier = { keyIndex: 1, digest: Uint8Array.of(5, 1, 2, 3) };
const node = encodeNode({ level: 0, entries: [], children: [identifier] });
const commit = { timestamp: 1n, generation: 1n, root: identifier, parents: [new Uint8Array(32)] };

/** Each with a table that it decodes. */
const decoders: readonly [string, (bytes: Uint8Array) => unknown, Uint8Array][] = [
  ["tree nodes", decodeNode, node],
  ["indexes", decodeFileIndex, encodeFileIndex([{ identifier, size: 1n }])],
  ["commits", decodeCommit, encodeCommit(commit)],
];

/** Decodes bytes, or expects the one code of a refusal. */
function attempt(decode: (bytes: Uint8Array) => unknown, input: Uint8Array): void {
  try {
    decode(input);
  } catch (error) {
    if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
  }
}

const encoded = fc.oneof(
  nodes.map(encodeNode),
  indexes.map(encodeFileIndex),
  commits.map((commit) => encodeCommit(commit)),
);
/** Real tables with some changed bytes, perhaps without their end. */
const damaged = fc
  .tuple(
    encoded,
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 255))), {
      maxLength: 4,
    }),
    fc.option(fc.nat(), { nil: undefined }),
  )
  .map(([table, changes, cut]) => {
    const copy = table.slice(0, cut === undefined ? table.length : cut % (table.length + 1));
    for (const [at, byte] of changes) if (copy.length > 0) copy[at % copy.length] = byte;
    return copy;
  });

describe.each(decoders)("bytes that are no %s", (_, decode, table) => {
  it("are refused and nothing worse, if they are random", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => attempt(decode, input)),
      { numRuns: 1000 },
    );
  });

  it("are refused and nothing worse, if they were a table once", () => {
    fc.assert(
      fc.property(damaged, (input) => attempt(decode, input)),
      { numRuns: 1000 },
    );
  });

  it("are refused wherever a table is cut off", () => {
    decode(table);
    for (let size = 0; size < table.length; size++)
      thrown(() => decode(table.subarray(0, size)), "DATA_INTEGRITY_ERROR");
  });
});

describe("a table that claims more than it has", () => {
  it("costs no more than its own bytes, whatever counts it states", () => {
    for (let at = 0; at + 4 <= node.length; at++) {
      const copy = node.slice();
      new DataView(copy.buffer).setUint32(at, 0xffffffff, true);
      for (const [, decode] of decoders) attempt(decode, copy);
    }
  });
});

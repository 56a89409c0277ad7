// Random contents of the tables in a ledger's rows, our bytes of them, and what flatc should show of each.
import { decodeCommit, encodeCommit } from "../../dist/tables/commit-table.js";
import { decodeFileIndex, encodeFileIndex } from "../../dist/tables/file-index.js";
import { decodeNode, encodeNode } from "../../dist/tables/tree-node.js";

/** Numbers that are at the ends of their ranges, or random. */
const words = {
  u32: (random) => [0, 1, 0xffff_ffff, random.word()][random.below(4)],
  i64: (random) => [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), BigInt(random.word()) << 20n][random.below(5)],
  u64: (random) => [0n, 1n, 2n ** 64n - 1n, BigInt(random.word())][random.below(4)],
};

const bytes = (random, length) => Uint8Array.from({ length }, () => random.below(256));
const list = (count, make) => Array.from({ length: count }, (_, at) => make(at));

/** An identifier of an inline content, or of a hash. */
function identifier(random) {
  const digest = bytes(random, random.below(3) === 0 ? 1 + random.below(33) : 33);
  digest[0] = digest.length < 33 ? 1 : random.below(4) * 2;
  return { keyIndex: words.u32(random), digest };
}

function commit(random) {
  const parents = list(1 + random.below(2), () => bytes(random, 32));
  return {
    timestamp: words.i64(random),
    generation: words.u64(random),
    root: { ...identifier(random), digest: Uint8Array.of(4, ...bytes(random, 32)) },
    parents,
  };
}

function node(random) {
  const keys = new Map(
    list(random.below(40), () => bytes(random, random.below(20))).map((key) => [`${key}`, key]),
  );
  const entries = [...keys.values()].sort(Buffer.compare).map((key) => ({
    key,
    value: { ...identifier(random) },
    priority: random.below(2) === 0 ? "eager" : "lazy",
  }));
  const level = random.below(2) === 0 ? 0 : 1 + random.below(255);
  const hasChild = () => level > 0 && random.below(2) === 0;
  const children = list(entries.length + 1, () => (hasChild() ? identifier(random) : undefined));
  if (entries.length === 0 && level > 0) children[0] = identifier(random);
  return { level, entries, children };
}

function fileIndex(random) {
  const children = list(1 + random.below(50), () => ({
    identifier: identifier(random),
    size: BigInt(random.word()),
  }));
  return { size: children.reduce((sum, { size }) => sum + size, 0n), children };
}

const shownIdentifier = ({ keyIndex, digest }) => ({
  key_index: `${keyIndex}`,
  object_digest: numbers(digest),
});
const numbers = (of) => Array.from(of, String);

/** The tables: how their contents are made, encoded and decoded, and what flatc shows of them, numbers as texts. */
export const tables = [
  {
    name: "CommitStorage",
    make: commit,
    encode: encodeCommit,
    decode: decodeCommit,
    shown: ({ timestamp, generation, root, parents }) => ({
      timestamp: `${timestamp}`,
      generation: `${generation}`,
      root_node_id: shownIdentifier(root),
      parents: parents.map((id) => ({ id: numbers(id) })),
    }),
  },
  {
    name: "TreeNodeStorage",
    make: node,
    encode: encodeNode,
    decode: decodeNode,
    shown: ({ level, entries, children }) => ({
      entries: entries.map(({ key, value, priority }) => ({
        key: numbers(key),
        object_id: shownIdentifier(value),
        priority: priority.toUpperCase(),
      })),
      children: children.flatMap((child, index) =>
        child === undefined ? [] : [{ index: `${index}`, object_id: shownIdentifier(child) }],
      ),
      level: `${level}`,
    }),
  },
  {
    name: "FileIndex",
    make: fileIndex,
    encode: ({ children }) => encodeFileIndex(children),
    decode: decodeFileIndex,
    shown: ({ size, children }) => ({
      size: `${size}`,
      children: children.map((child) => ({
        size: `${child.size}`,
        object_identifier: shownIdentifier(child.identifier),
      })),
    }),
  },
];

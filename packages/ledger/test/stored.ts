/** The rows that a closed page has stored, and the rows that something refers to. */
import { fromHex, toHex } from "merostore/internal";
import { type PageId, type Place, ROOT_PAGE_ID } from "../src/index.js";
import { digestFits, isInline, objectType, pieceType } from "../src/objects.js";
import { commitRow, headRow, objectRow, pageRows } from "../src/rows/page-rows.js";
import { COLUMN } from "../src/rows/row.js";
import { PageStorage, type StorageOptions } from "../src/storage/page-storage.js";
import { decodeCommit } from "../src/tables/commit-table.js";
import { decodeFileIndex } from "../src/tables/file-index.js";
import { decodeNode } from "../src/tables/tree-node.js";

/** A page's rows. */
export interface Stored {
  /** By the name of their kind, as hex digits of key and value. */
  readonly kinds: ReadonlyMap<string, readonly (readonly [string, string])[]>;
  readonly heads: readonly string[];
  /** Root of each commit, by the id of the commit. */
  readonly roots: ReadonlyMap<string, string>;
  /** Ids of the parents of each commit, by the id of the commit. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Pieces by their digests. */
  readonly pieces: ReadonlyMap<string, Uint8Array>;
}

/** Reads the rows of a page that nobody has open. */
export async function readStored(
  place: Place,
  ledger = "test",
  page: PageId = ROOT_PAGE_ID,
): Promise<Stored> {
  const id = typeof page === "string" ? fromHex(page) : page;
  const engine = await place.openPage(ledger, id, { create: false });
  if (engine === undefined) throw new Error("there is no such page");
  const kinds = new Map<string, [string, string][]>();
  const heads: string[] = [];
  const roots = new Map<string, string>();
  const parents = new Map<string, readonly string[]>();
  const pieces = new Map<string, Uint8Array>();
  for await (const { key, value } of engine.scan(COLUMN, {})) {
    const row = pageRows.find((one) => one.key.parse(key) !== undefined);
    if (row === undefined) throw new Error(`the row ${toHex(key)} is of no kind`);
    kinds.set(row.kind, [...(kinds.get(row.kind) ?? []), [toHex(key), toHex(value)]]);
    if (row === headRow) heads.push(toHex(headRow.parts(key).commit));
    if (row === objectRow) pieces.set(toHex(objectRow.parts(key).digest), value.slice());
    if (row === commitRow) {
      const id = toHex(commitRow.parts(key).commit);
      const commit = decodeCommit(value);
      roots.set(id, toHex(commit.root.digest));
      parents.set(id, commit.parents.map(toHex));
    }
  }
  await engine.close();
  return { kinds, heads, roots, parents, pieces };
}

/** {@link readStored} of a page after everything unneeded was removed. */
export async function readTidied(
  place: Place,
  ledger = "test",
  page: PageId = ROOT_PAGE_ID,
): Promise<Stored> {
  const id = typeof page === "string" ? fromHex(page) : page;
  const engine = await place.openPage(ledger, id, { create: false });
  if (engine === undefined) throw new Error("there is no such page");
  const storage = await PageStorage.open(engine, TIDYING);
  await storage.collectGarbage();
  await storage.close();
  return readStored(place, ledger, page);
}

/** The options of ledgers without a cloud. */
export const TIDYING: StorageOptions = {
  rollingHash: "V3",
  keyIndex: 1,
  prune: true,
  collection: "eager-live-references",
};

export function rowsOf(stored: Stored, kind: string): readonly (readonly [string, string])[] {
  return stored.kinds.get(kind) ?? [];
}

/**
 * The faults of a page's rows: pieces that are unreferenced, missing or under a wrong name, edges that are missing or
 * surplus, and statuses without a piece. Empty for a page in order.
 *
 * @param lazyMissing whether values of lazy entries may be missing
 */
export function faultsOf(stored: Stored, { lazyMissing = false } = {}): string[] {
  const { heads, roots, parents, pieces } = stored;
  const faults: string[] = [];
  const waiting = rowsOf(stored, "unsynced-commit").map(([key]) => key.slice(-64));
  // The state of any other commit is in the cloud, and may have been removed here.
  const inUse = new Set([
    ...heads,
    ...waiting,
    ...waiting.flatMap((id) => parents.get(id)?.slice(0, 1) ?? []),
  ]);
  const edges = new Set<string>();
  const reachable = new Set<string>();
  const zero = "00".repeat(32);
  for (const head of heads)
    if (head !== zero && !roots.has(head)) faults.push(`the head ${head} has no commit`);

  function visit(digest: string, optional: boolean): void {
    const bytes = fromHex(digest);
    if (isInline(bytes) || reachable.has(digest)) return;
    const content = pieces.get(digest);
    if (content === undefined) {
      if (!optional) faults.push(`the piece ${digest} is missing`);
      return;
    }
    reachable.add(digest);
    if (!digestFits(bytes, content)) faults.push(`the piece ${digest} has another digest`);
    if (pieceType(bytes) === "index")
      for (const { identifier } of decodeFileIndex(content).children)
        follow(digest, identifier.digest, "eager", optional);
    if (objectType(bytes) !== "tree-node") return;
    const node = decodeNode(objectOf(stored, digest));
    for (const child of node.children) if (child !== undefined) follow(digest, child.digest, "eager", false);
    for (const { value, priority } of node.entries)
      follow(digest, value.digest, priority, priority === "lazy" && lazyMissing);
  }

  function follow(from: string, to: Uint8Array, priority: string, optional: boolean): void {
    if (!isInline(to)) edges.add(`${priority} ${toHex(to)} ${from}`);
    visit(toHex(to), optional);
  }

  for (const [commit, root] of roots) {
    if (!isInline(fromHex(root))) edges.add(`commit ${root} ${commit}`);
    visit(root, !inUse.has(commit));
  }
  for (const digest of pieces.keys()) if (!reachable.has(digest)) faults.push(`nothing refers to ${digest}`);
  faults.push(...wrongEdges(stored, edges), ...wrongStatuses(stored));
  return faults;
}

/** The content of an object, without its missing pieces. */
export function objectOf(stored: Stored, digest: string): Uint8Array {
  const bytes = fromHex(digest);
  if (isInline(bytes)) return bytes.subarray(1);
  const content = stored.pieces.get(digest) ?? new Uint8Array(0);
  if (pieceType(bytes) === "chunk") return content;
  const children = decodeFileIndex(content).children.map(({ identifier }) => toHex(identifier.digest));
  return Buffer.concat(children.map((child) => objectOf(stored, child)));
}

function wrongEdges(stored: Stored, edges: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [kind, name] of [
    ["eager-edge", "eager"],
    ["lazy-edge", "lazy"],
    ["commit-edge", "commit"],
  ] as const)
    for (const [key] of rowsOf(stored, kind)) {
      const from = name === "commit" ? key.slice(-64) : key.slice(-66);
      found.add(`${name} ${key.slice(20, 86)} ${from}`);
    }
  return [
    ...[...edges].filter((edge) => !found.has(edge)).map((edge) => `the edge ${edge} is missing`),
    ...[...found].filter((edge) => !edges.has(edge)).map((edge) => `there is an edge ${edge}`),
  ];
}

/** Every piece has one status, and a status has a piece. */
function wrongStatuses(stored: Stored): string[] {
  const statuses = ["transient-piece", "local-piece", "synced-piece"].flatMap((kind) =>
    rowsOf(stored, kind).map(([key]) => key.slice(-74, -8)),
  );
  const expected = [...stored.pieces.keys()].toSorted();
  return statuses.toSorted().join() === expected.join() ? [] : ["pieces and their statuses differ"];
}

/**
 * The rules by which a node applies a delta to the state of a context. `@upstream` names the source of a rule: the file below `crates` of
 * Calimero core at 051f0848e, and its lines.
 */
import { fromHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { applicationStateId } from "../../digests/index.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import type { EntityMetadata } from "../index-row.js";
import type { ReplayRules } from "../layouts/layout.js";
import { ReplayedEntity } from "./entity.js";
import type { EntityTree } from "./entity-tree.js";
import { type MergeRoot, mergedData, mergedRoot, type Write } from "./merge.js";
import type { ReplayedDelta } from "./packed-deltas.js";
import { logRotations, type Rotation, rotationOf } from "./rotation.js";
import type { HandedEntity } from "./taken-over.js";

/** The place of a delta among the applied deltas. */
export interface DeltaPlace {
  /** The number of the delta. */
  readonly number: number;
  /** Returns true if the delta follows the delta with the number `other`. */
  follows(other: number): Promise<boolean>;
}

/** The origin of a change of an entity. */
interface Origin {
  /** The number of the delta; undefined if the delta is not there. */
  readonly number: number | undefined;
  /** True if the change follows the stored one, or nothing depends on that. */
  readonly follows: boolean;
}

/** The root hash after a delta, and the root hash of its author. */
export interface Applied {
  /**
   * The root hash after the changes that the author's hash covers, 32 bytes; undefined if data below the base is
   * unknown.
   */
  readonly reached: Uint8Array | undefined;
  /** The author's root hash, 32 bytes; undefined if the delta does not carry it. */
  readonly expected: Uint8Array | undefined;
}

/** Applies deltas to the tree of one context. */
export class DeltaApplier {
  /** True once an entry became unknown because only the application can merge its two writes. */
  leftToApplication = false;
  readonly #tree: EntityTree;
  readonly #root: number;
  readonly #application: number;
  readonly #mergeRoot: MergeRoot;
  readonly #rules: ReplayRules;
  readonly #pause = new Pause();

  /** @param contextId 64 hex digits */
  constructor(tree: EntityTree, contextId: string, mergeRoot: MergeRoot, rules: ReplayRules) {
    this.#tree = tree;
    this.#root = tree.numberOf(fromHex(contextId));
    this.#application = tree.numberOf(applicationStateId());
    this.#mergeRoot = mergeRoot;
    this.#rules = rules;
  }

  /** True if the application's own state is a guess: only the application can merge what concurrent deltas wrote. */
  get isGuess(): boolean {
    return this.#tree.get(this.#application)?.isGuess === true;
  }

  /**
   * Applies a delta: its actions in their order, but the action on the root last. Private collections, which nodes of
   * core-0.10 write into their deltas, count like others.
   *
   * @upstream storage/src/collections/root.rs:399-500; storage/src/interface.rs:4120-4138
   * @param hashes whether to compute root hashes: the cost of each grows with the number of children above the changes
   */
  async apply(delta: ReplayedDelta, place: DeltaPlace, hashes: boolean): Promise<Applied> {
    const expected = hashes ? delta.expected : undefined;
    const witness = hashes && expected === undefined ? delta.witness : undefined;
    const rotations: Rotation[] = [];
    const unnamed = new Map<string, number>();
    let root: Write | undefined;
    let reached: Uint8Array | undefined;
    let isCovered = true;
    let at = -1;
    for (const action of delta.actions ?? []) {
      at++;
      if (this.#pause.isLong) await this.#pause.ifLong();
      const id = this.#tree.numberOf(action.id);
      // The root's change covers the changes before it, except deletions after the last hash.
      if (action.kind === "DeleteRef" && at >= (witness?.at ?? 0)) isCovered = false;
      if (action.kind === "DeleteRef") await this.#delete(id, action, place.number);
      else if (id === this.#root) root = action;
      else {
        const { logsWriters } = this.#rules;
        const rotation = logsWriters ? rotationOf(action, this.#tree.get(id), delta) : undefined;
        if (rotation !== undefined) rotations.push(rotation);
        this.#write(id, action, await this.#originOf(id, action, place), unnamed);
      }
      if (at === witness?.at) reached = await this.#hash();
    }
    if (root !== undefined) {
      this.#save(this.#root, root, undefined, await this.#originOf(this.#root, root, place));
      if (isCovered && hashes) reached = await this.#hash();
    }
    logRotations(this.#tree, delta, rotations, place.number);
    return expected === undefined
      ? { reached, expected: witness?.hash }
      : { reached: await this.#hash(), expected };
  }

  /** Finds out whether a change follows the stored one, if the merge depends on it. */
  async #originOf(id: number, action: Write, { number, follows }: DeltaPlace): Promise<Origin> {
    const isRoot = id === this.#root || id === this.#application;
    if (!isRoot && !this.#isMergedByApplication(action)) return { number, follows: true };
    const { writer, data } = this.#tree.get(id) ?? {};
    const isSame = data === undefined || equalBytes(data, action.data);
    return { number, follows: writer === undefined || isSame || (await follows(writer)) };
  }

  async #hash(): Promise<Uint8Array | undefined> {
    await this.#tree.computeHash(this.#root, this.#pause);
    return this.#tree.hash(this.#root);
  }

  /** Takes over entities from another node, except the application's own state, which only deltas change. */
  async take(entities: readonly HandedEntity[]): Promise<void> {
    for (const { id, action, writer } of entities) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      if (id === this.#root || id === this.#application) continue;
      const place = { number: writer, follows: false };
      if (action.kind === "DeleteRef") await this.#delete(id, action, writer);
      else this.#write(id, action, place, new Map());
    }
  }

  /**
   * Applies an action that adds or changes an entity: makes the missing ancestors, writes the entity, and makes it a
   * child of its parent, which ends its deletion. Nodes of core-1.0 leave it deleted if the write is not later.
   *
   * @upstream storage/src/interface.rs:1489-2610; storage/src/index.rs:444-546; CHANGELOG.md (#4349) for core-1.0
   */
  #write(id: number, action: Write, place: Origin, unnamed: Map<string, number>): void {
    const tree = this.#tree;
    const stored = tree.get(id);
    if (stored !== undefined && isStale(action, stored)) return;
    const parent = this.#makeAncestors(action, place);
    if (stored === undefined) {
      if (parent !== undefined) this.#relocate(parent, id, action, unnamed);
      tree.put(id, newEntity(action, parent, place));
    } else if (!this.#save(id, action, parent, place)) return;
    const now = tree.get(id);
    const isBack = stored?.deletedAt !== undefined && now?.deletedAt === undefined;
    const above = parent ?? (isBack ? stored.parent : undefined);
    if (above === undefined) return;
    if (now?.deletedAt !== undefined) {
      if (!this.#rules.revives) return;
      tree.put(id, now.with({ deletedAt: undefined }));
    }
    tree.addChild(above, id, action.metadata.createdAt);
  }

  /**
   * Makes the missing ancestors. Their own hash is the full hash that the action claims for them.
   *
   * @upstream storage/src/interface.rs:2344-2373
   * @returns the parent
   */
  #makeAncestors({ ancestors }: Write, { number: writer }: Origin): number | undefined {
    const tree = this.#tree;
    let parent: number | undefined;
    for (let at = ancestors.length - 1; at >= 0; at--) {
      const ancestor = ancestors[at] as (typeof ancestors)[number];
      const isHashed = "merkleHash" in ancestor;
      const id = tree.numberOf(isHashed ? ancestor.id : ancestor);
      if (isHashed && !tree.has(id)) {
        const { merkleHash, metadata } = ancestor;
        const parts = { parent, data: undefined, metadata, deletedAt: undefined, writer, hash: merkleHash };
        tree.put(id, new ReplayedEntity(parts));
        if (parent !== undefined) tree.addChild(parent, id, metadata.createdAt);
      }
      parent = id;
    }
    return parent;
  }

  /**
   * An author names a collection by giving it a new id, and drops the old one without an action in the delta. The delta
   * adds both collections, with the same time of creation, and the data of each begins with its id.
   *
   * @upstream storage/src/collections.rs:481-532; storage/src/collections/shared.rs:215-266
   * @param unnamed the collections that the delta added, by the time of their creation
   */
  #relocate(parent: number, id: number, { data, metadata }: Write, unnamed: Map<string, number>): void {
    const tree = this.#tree;
    if (data.length < 32 || !equalBytes(data.subarray(0, 32), tree.idOf(id))) return;
    // A text, because authors choose the times, and the hashes of numbers in a map are predictable.
    const created = `at ${metadata.createdAt}`;
    const other = unnamed.get(created);
    unnamed.set(created, id);
    if (other === undefined || tree.childCreation(parent, other) !== metadata.createdAt) return;
    tree.removeChild(parent, other);
    this.#removeAll(other);
  }

  /**
   * Removes the dropped collection with all entities below it, as if it had never been there.
   *
   * @upstream storage/src/collections.rs:481-532
   */
  #removeAll(id: number): void {
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!this.#tree.has(next)) continue;
      for (const child of this.#tree.children(next)) open.push(child);
      this.#tree.remove(next);
    }
  }

  /**
   * An entity keeps its data if it was written later, unless it is a log of writers or the application's own state.
   * Otherwise, both writes are merged. A write that is later than a deletion ends the deletion.
   *
   * @upstream storage/src/interface.rs:3175-3480; storage/src/index.rs:789
   * @returns false if the write is older
   */
  #save(id: number, action: Write, parent: number | undefined, place: Origin): boolean {
    const stored = this.#tree.get(id);
    if (stored === undefined) {
      this.#tree.put(id, newEntity(action, parent, place));
      return true;
    }
    const { metadata } = action;
    const isRoot = id === this.#root || id === this.#application;
    const isLog = metadata.crdtType?.kind === "RotationLog";
    if (this.#isForApplication(stored, action, place)) {
      this.leftToApplication = true;
      this.#tree.put(id, stored.unknown());
      return true;
    }
    const isOlder = stored.metadata.updatedAt > metadata.updatedAt;
    if (isOlder && !isRoot && !isLog) return false;
    const merged = isRoot
      ? mergedRoot(stored, action, place.follows, this.#mergeRoot)
      : mergedData(stored, action);
    const data = merged ?? (isOlder ? stored.data : action.data) ?? action.data;
    const { deletedAt } = stored;
    const isLifted = deletedAt !== undefined && metadata.updatedAt > deletedAt;
    this.#tree.put(
      id,
      new ReplayedEntity({
        parent: parent ?? stored.parent,
        data,
        metadata: afterWrite(stored.metadata, metadata),
        deletedAt: isLifted ? undefined : deletedAt,
        writer: equalBytes(data, action.data) ? place.number : stored.writer,
        isGuess: merged === undefined,
      }),
    );
    return true;
  }

  /**
   * Nodes of core-1.0 let the application merge two writes of an entry of its own type, and merge runs of a text
   * themselves. If the writes are concurrent and differ, the entry is unknown from then on.
   *
   * @upstream storage/AGENTS.md for core-1.0
   */
  #isForApplication({ data, writer }: ReplayedEntity, action: Write, { number, follows }: Origin): boolean {
    if (!this.#isMergedByApplication(action)) return false;
    if (data !== undefined && equalBytes(data, action.data)) return false;
    return writer !== undefined && writer !== number && !follows;
  }

  #isMergedByApplication({ metadata }: Write): boolean {
    const kind = metadata.crdtType?.kind;
    return this.#rules.mergesEntries && (kind === "Custom" || kind === "FugueTextBlock");
  }

  /**
   * A deletion that is not older than the entity leaves a tombstone in its place, and in the place of each entity below
   * it that is not newer. A frozen entity stays, with all entities below it. Of two deletions, the later time stays.
   *
   * @upstream storage/src/interface.rs:2718-2790; storage/src/index.rs:1038
   */
  async #delete(
    id: number,
    { deletedAt }: Extract<AnyAction, { readonly kind: "DeleteRef" }>,
    writer: number | undefined,
  ): Promise<void> {
    const tree = this.#tree;
    const stored = tree.get(id);
    if (stored === undefined || stored.metadata.storageType.kind === "Frozen") return;
    const metadata = { ...stored.metadata, updatedAt: deletedAt };
    if (stored.deletedAt !== undefined) {
      if (deletedAt > stored.deletedAt) tree.put(id, stored.with({ deletedAt, metadata }));
      return;
    }
    if (deletedAt < stored.metadata.updatedAt) return;
    const seen = new Set([id]);
    const open = [...tree.children(id)];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      const entity = tree.get(next);
      if (seen.has(next) || entity === undefined || entity.deletedAt !== undefined) continue;
      seen.add(next);
      if (entity.metadata.storageType.kind === "Frozen") continue;
      for (const child of tree.children(next)) open.push(child);
      if (entity.metadata.updatedAt <= deletedAt)
        tree.put(
          next,
          entity.deleted(
            deletedAt,
            this.#rules.revives ? entity.metadata : { ...entity.metadata, updatedAt: deletedAt },
            writer,
          ),
        );
    }
    tree.put(id, stored.deleted(deletedAt, metadata, writer));
    if (stored.parent !== undefined) tree.removeChild(stored.parent, id);
  }
}

function newEntity(
  { data, metadata }: Write,
  parent: number | undefined,
  { number: writer }: Origin,
): ReplayedEntity {
  return new ReplayedEntity({ parent, data, metadata, deletedAt: undefined, writer });
}

/**
 * An entity keeps its metadata when it is written again, except the later of both times, the newer version of the
 * schema, and the owner with its signature.
 *
 * @upstream storage/src/interface.rs:2562, 2585
 */
function afterWrite<M extends EntityMetadata>(stored: M, written: EntityMetadata): M {
  const updatedAt = stored.updatedAt > written.updatedAt ? stored.updatedAt : written.updatedAt;
  const storageType = written.storageType.kind === "Public" ? stored.storageType : written.storageType;
  const version = "schemaVersion" in written ? written.schemaVersion : null;
  const isNewer = "schemaVersion" in stored && version !== null && version > (stored.schemaVersion ?? -1);
  return { ...stored, updatedAt, storageType, ...(isNewer ? { schemaVersion: version } : {}) };
}

/**
 * A signed change is refused if its nonce is less than the time of the entity. A change of writers is still logged.
 *
 * @upstream storage/src/interface.rs:1661, 1818, 1877, 1960
 */
function isStale({ metadata: { storageType } }: Write, stored: ReplayedEntity): boolean {
  if (storageType.kind === "Public" || storageType.kind === "Frozen") return false;
  const nonce = storageType.signatureData?.nonce;
  return nonce !== undefined && nonce < stored.metadata.updatedAt;
}

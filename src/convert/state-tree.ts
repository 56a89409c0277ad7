/**
 * Conversion of the state of contexts. Full hashes cover the children in another order than before, so every tree is
 * converted from its leaves to its root. An entity that no root reaches becomes the root of its own tree.
 */
import { isZeros } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { toHex } from "../bytes/hex.js";
import { IdTable } from "../bytes/id-table.js";
import { equalBytes } from "../bytes/order.js";
import { entryStateKey, fullHash010, fullHash011, indexStateKey } from "../digests/index.js";
import type { EngineReader } from "../engines/index.js";
import { MerostoreError } from "../errors.js";
import { ContextState011 } from "../keys/index.js";
import { type ChildInfo010, EntityIndex010, EntityIndex011 } from "../payloads/index.js";
import { core010 } from "../schemas/index.js";
import { childInfo011, hasOwner, metadata011 } from "./entities.js";
import type { Report } from "./report.js";

/** The most levels of a tree. The trees of nodes have fewer than 20. */
const DEEPEST = 4096;
/** Children whose rows are read at once. */
const READ_AT_ONCE = 256;
const ID = 32;

const KIND = "ContextState";
const COLUMN = ContextState011.COLUMN;
const stateRow = core010.row(KIND);

const OWNED =
  "belongs to a public key, which core-0.11 would read as an account; its signature cannot be verified (--as-bytes)";
const BELOW = "hangs below an entity that is left behind (--as-bytes)";
const UNDECODED = "its value does not decode as core-0.10";
const PRUNED = "converted without its children that belong to public keys (--as-bytes)";

/** The full hash of a converted entity; undefined if the entity was left behind. */
type Result = { readonly hash: Uint8Array } | { readonly hash?: undefined };

/** An entity whose children are being converted. */
interface Frame {
  readonly id: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly index: EntityIndex010;
  /** Its children; empty for a deleted entity, which keeps its hashes. */
  readonly children: readonly ChildInfo010[];
  /** The reason why the entity is left behind; undefined if it is converted. */
  readonly leaving: string | undefined;
  readonly results: Result[];
  /** Rows of children from number `from`. */
  rows: readonly (Uint8Array | undefined)[];
  from: number;
}

/** Converts the rows of State. */
export class StateTrees {
  /** Index rows whose hash was wrong before. */
  wrongHashes = 0;
  readonly #source: EngineReader;
  readonly #report: Report;
  readonly #asBytes: boolean;
  /** Index rows of the context that were converted. Memory: 42 to 84 bytes for each. */
  #done = new IdTable();
  /** Rows of the context that are left behind. */
  #left = new IdTable();
  /** Index rows in the tree of the context that do not decode. */
  #undecoded = new IdTable();

  constructor(source: EngineReader, report: Report, asBytes: boolean) {
    this.#source = source;
    this.#report = report;
    this.#asBytes = asBytes;
  }

  /** Converts all contexts. @throws MerostoreError DATA_INTEGRITY_ERROR for a tree with a cycle, or one too deep */
  async convert(): Promise<void> {
    let context: Uint8Array | undefined;
    for await (const chunk of this.#source.scan(COLUMN).chunks()) {
      for (const row of chunk) {
        if (!ContextState011.matches(row.key)) {
          await this.#report.take(COLUMN, null, row, { left: "no kind of row of core-0.10 has such a key" });
          continue;
        }
        const { contextId, stateKey } = ContextState011.view(row.key);
        if (context === undefined || !equalBytes(context, contextId)) {
          context = contextId;
          this.#done = new IdTable();
          this.#left = new IdTable();
          this.#undecoded = new IdTable();
          await this.#walkFromRoot(contextId);
        }
        if (this.#done.has(stateKey)) continue;
        const index = indexOf(row.key, row.value);
        if (index !== undefined) {
          if (!this.#left.has(stateKey)) await this.#walk(contextId, this.#frame(row, index, undefined));
        } else if (this.#undecoded.has(stateKey)) {
          await this.#report.take(COLUMN, KIND, row, { left: UNDECODED });
        } else if (this.#left.has(stateKey)) {
          await this.#report.take(COLUMN, KIND, row, {
            left: "is the data of an entity that is left behind (--as-bytes)",
          });
        } else
          await this.#report.take(COLUMN, KIND, row, {
            rows: [{ column: COLUMN, key: row.key, value: row.value }],
          });
      }
    }
  }

  /** Converts the tree of a context. The id of its root is the context's. */
  async #walkFromRoot(contextId: Uint8Array): Promise<void> {
    const key = concat(contextId, indexStateKey(contextId));
    const value = await this.#source.get(COLUMN, key);
    if (value === undefined) return;
    const index = indexOf(key, value);
    if (index === undefined) this.#undecoded.add(key.subarray(ID));
    else await this.#walk(contextId, this.#frame({ key, value }, index, undefined));
  }

  /** Converts an entity and its descendants, children first. */
  async #walk(contextId: Uint8Array, root: Frame): Promise<void> {
    const stack = [root];
    const above = new Set([root.id]);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const info = frame.children[frame.results.length];
      if (info === undefined) {
        const result = await this.#finish(frame);
        stack.pop();
        above.delete(frame.id);
        stack.at(-1)?.results.push(result);
        continue;
      }
      const known = await this.#known(contextId, info.id);
      if (known !== undefined) {
        frame.results.push(known);
        continue;
      }
      const leaving = this.#whyLeft(info, frame.leaving);
      const child = await this.#child(contextId, frame, leaving);
      if (child === undefined) {
        frame.results.push(leaving === undefined ? { hash: info.merkleHash } : {});
        continue;
      }
      if (above.has(child.id)) throw integrity(contextId, `the entity ${child.id} is below itself`);
      if (stack.length >= DEEPEST) throw integrity(contextId, `its tree has more than ${DEEPEST} levels`);
      stack.push(child);
      above.add(child.id);
    }
  }

  /** The result for an entity that is already converted or left behind; otherwise undefined. */
  async #known(contextId: Uint8Array, id: Uint8Array): Promise<Result | undefined> {
    const stateKey = indexStateKey(id);
    if (this.#left.has(stateKey)) return {};
    if (!this.#done.has(stateKey)) return undefined;
    const value = await this.#report.get(COLUMN, concat(contextId, stateKey));
    return value === undefined ? undefined : { hash: EntityIndex011.decode(value).fullHash };
  }

  #whyLeft({ metadata }: Pick<ChildInfo010, "metadata">, above: string | undefined): string | undefined {
    if (this.#asBytes) return undefined;
    if (above !== undefined) return BELOW;
    return hasOwner(metadata) ? OWNED : undefined;
  }

  /** The next child of an entity; undefined if it has no index row that decodes. */
  async #child(contextId: Uint8Array, frame: Frame, leaving: string | undefined): Promise<Frame | undefined> {
    const at = frame.results.length;
    const keyOf = ({ id }: ChildInfo010) => concat(contextId, indexStateKey(id));
    if (at >= frame.from + frame.rows.length) {
      frame.from = at;
      const next = frame.children.slice(at, at + READ_AT_ONCE);
      frame.rows = await this.#source.getMany(COLUMN, next.map(keyOf));
    }
    const value = frame.rows[at - frame.from];
    if (value === undefined) return undefined;
    const key = keyOf(frame.children[at] as ChildInfo010);
    const index = indexOf(key, value);
    if (index !== undefined) return this.#frame({ key, value }, index, leaving);
    this.#undecoded.add(key.subarray(ID));
    return undefined;
  }

  #frame(
    { key, value }: { readonly key: Uint8Array; readonly value: Uint8Array },
    index: EntityIndex010,
    leaving: string | undefined,
  ): Frame {
    const children = index.deletedAt === null ? (index.children ?? []) : [];
    const why = leaving ?? this.#whyLeft(index, undefined) ?? this.#ownedChildren(index);
    return { id: toHex(index.id), key, value, index, children, leaving: why, results: [], rows: [], from: 0 };
  }

  /** The reason to leave a deleted entity behind: its list keeps children that have owners. */
  #ownedChildren({ deletedAt, children }: EntityIndex010): string | undefined {
    const owned = deletedAt !== null && (children ?? []).some(({ metadata }) => hasOwner(metadata));
    return owned && !this.#asBytes ? OWNED : undefined;
  }

  async #finish(frame: Frame): Promise<Result> {
    const { key, value, index, leaving } = frame;
    const row = { key, value };
    const stateKey = key.subarray(ID);
    if (leaving !== undefined) {
      this.#left.add(stateKey);
      this.#left.add(entryStateKey(index.id));
      await this.#report.take(COLUMN, KIND, row, { left: leaving });
      return {};
    }
    const isDeleted = index.deletedAt !== null;
    if (!isDeleted && !hasRightHash(index)) this.wrongHashes++;
    const results: readonly Result[] = isDeleted
      ? (index.children ?? []).map(({ merkleHash }) => ({ hash: merkleHash }))
      : frame.results;
    const all = index.children ?? [];
    const children = all.flatMap((info, at) => {
      const hash = results[at]?.hash;
      return hash === undefined ? [] : [childInfo011(info, hash)];
    });
    const hash = isDeleted ? index.fullHash : fullHash011({ ownHash: index.ownHash, children });
    const converted = EntityIndex011.encode({
      ...index,
      children: index.children === null ? null : children,
      fullHash: hash,
      metadata: metadata011(index.metadata),
      deletedChildren: [],
    });
    this.#done.add(stateKey);
    const pruned = all.filter((_, at) => results[at]?.hash === undefined);
    await this.#report.take(COLUMN, KIND, row, {
      rows: [{ column: COLUMN, key, value: converted }],
      lost: pruned.length === 0 ? undefined : { fields: childrenOf(index, pruned), why: PRUNED },
    });
    return { hash };
  }
}

/** Decodes an index row; undefined for bytes of the application. */
function indexOf(key: Uint8Array, value: Uint8Array): EntityIndex010 | undefined {
  const isIndex = stateRow.shown(ContextState011.view(key), value) !== stateRow.value;
  return isIndex ? EntityIndex010.decode(value) : undefined;
}

/** The JSON form of some children. */
function childrenOf(index: EntityIndex010, children: readonly ChildInfo010[]) {
  const form = EntityIndex010.toJson({ ...index, children }) as { readonly children: [] };
  return { children: form.children };
}

/** Returns true if the full hash is right by the rule of core-0.10. A root that never had children may keep zeros. */
function hasRightHash(index: EntityIndex010): boolean {
  if (equalBytes(index.fullHash, fullHash010(index))) return true;
  return (index.children ?? []).length === 0 && isZeros(index.fullHash);
}

function integrity(contextId: Uint8Array, why: string): MerostoreError {
  return new MerostoreError(
    "DATA_INTEGRITY_ERROR",
    `the state of the context ${toHex(contextId)} cannot be converted: ${why}. Nothing was written`,
  );
}

/** One look at rows of State for all rules: each row by itself, its trie, and the rows that it names. */

import { copyBytes } from "../../../bytes/bytes.js";
import { equalBytes } from "../../../bytes/order.js";
import { slices } from "../../../collections/lists.js";
import { ownHash, writtenOnceSealId } from "../../../digests/index.js";
import { deletedChildrenOf, type EntityIndex, entityKey, isOlderForm } from "../../../layouts/index.js";
import type { Pause } from "../../../pause.js";
import { WriterBit } from "../../../payloads/index.js";
import type { Found } from "../../tools.js";
import { unreadable } from "../../unreadable.js";
import { lookAtCounts } from "./admitted.js";
import { ContextTally, StateFindings } from "./findings.js";
import {
  beside,
  contextOf,
  type Entity,
  entityIn,
  isParent,
  isRoot,
  isSeal,
  isWithoutHash,
  type RawStateRow,
  readRow,
  type StateKey,
} from "./rows.js";
import { lookAtTries } from "./tries.js";
import type { Finder } from "./walk.js";

/** The facts of a batch of rows. */
export interface Look {
  readonly findings: StateFindings;
  /** The contexts of the rows, in their order. */
  readonly contexts: readonly ContextTally[];
}

/** Rows that are looked up in one round. */
const ROUND = 128;

/** Looks at rows. `mayBeMissing` returns true for a context whose rows are not complete yet. */
export async function lookAt(
  rows: readonly RawStateRow[],
  tools: Finder,
  mayBeMissing: (key: StateKey) => Promise<boolean>,
  pause: Pause,
): Promise<Look> {
  const findings = new StateFindings();
  const contexts: ContextTally[] = [];
  const tallyOf = (key: StateKey): ContextTally => {
    const id = contextOf(key);
    const known = contexts.findLast(({ contextId }) => equalBytes(contextId, id));
    if (known !== undefined) return known;
    const tally = new ContextTally(copyBytes(id));
    contexts.push(tally);
    return tally;
  };
  const entities: Entity[] = [];
  const parents: Entity[] = [];
  for (const { key, value } of rows) {
    const entity = lookAtRow(key, value, findings, tallyOf(key), tools);
    if (entity !== undefined) {
      entities.push(entity);
      if (isParent(entity)) parents.push(entity);
    }
    if (pause.isLong) await pause.ifLong();
  }
  findings.checked("full-hash", entities.length - parents.length);
  const tries = await lookAtTries(parents, tools, findings, tallyOf, mayBeMissing, pause);
  await lookAtCounts(tries, tools, findings, pause);
  await lookAtDeleted(entities, tools, findings, tallyOf, pause);
  await lookAtSeals(entities, tools, findings, pause);
  return { findings, contexts };
}

/** Looks at a row by itself. Returns its entity, if it has one. */
function lookAtRow(
  key: StateKey,
  value: Uint8Array,
  findings: StateFindings,
  tally: ContextTally,
  tools: Finder,
): Entity | undefined {
  findings.checked("state-rows");
  const found = readRow(key, value);
  if (found.kind === "unreadable") {
    findings.add("state-rows", { key, ...unreadable(found.reason, tools.writerOf(found)) });
    return undefined;
  }
  if (found.kind === "child trie") {
    tally.rows.add(found.address);
    return undefined;
  }
  const { id, row } = found;
  if (row.index === null) {
    const message = "the row has no index record: the entity is in no tree";
    findings.add("state-rows", { key, message, severity: "warning" });
    return undefined;
  }
  if (isOlderForm(id, row, value))
    findings.add("state-rows", {
      key,
      message: "a node before 1.0.0 wrote it: today's write a shorter form, and read this one",
      severity: "info",
    });
  const entity = { key, index: row.index, hasData: row.data !== null };
  lookAtEntity(entity, row.data, findings);
  if (!isRoot(entity) && entity.index.parentId !== null) tally.entities.add(id);
  return entity;
}

function lookAtEntity(entity: Entity, data: Uint8Array | null, findings: StateFindings): void {
  const { key, index } = entity;
  if (index.deletedAt !== null) {
    findings.checked("deleted-children");
    if (data !== null) findings.add("deleted-children", { key, message: "a deleted entity still has data" });
    return;
  }
  findings.checked("own-hash");
  if (data === null) {
    if (!isWithoutHash(entity)) {
      const message = "the entity's data is not there";
      findings.add("own-hash", { key, message, found: index.ownHash });
    }
  } else {
    const expected = ownHash(data);
    if (!equalBytes(index.ownHash, expected)) {
      const message = "the entity's data has another hash";
      findings.add("own-hash", { key, message, found: index.ownHash, expected });
    }
  }
  if (isSeal(entity)) return;
  findings.checked("root-entity");
  const root = isRoot(entity);
  if (root && index.parentId !== null)
    findings.add("root-entity", { key, message: "the root has a parent", found: index.parentId });
  if (!root && index.parentId === null) {
    const message = "the entity has no parent, and is not the root";
    findings.add("root-entity", { key, message, severity: "warning" });
  }
}

/** Looks up the children that entities name as deleted. */
async function lookAtDeleted(
  entities: readonly Entity[],
  tools: Finder,
  findings: StateFindings,
  tallyOf: (key: StateKey) => ContextTally,
  pause: Pause,
): Promise<void> {
  for (const { key, index } of entities) {
    for (const ids of deletedChildrenOf(index, ROUND)) {
      findings.checked("deleted-children", ids.length);
      const keys = ids.map((id) => beside(key, entityKey(id)));
      const found = (await tools.find(keys)) as readonly Found<Uint8Array>[];
      for (const [at, id] of ids.entries()) {
        const { there, value } = found[at] as Found<Uint8Array>;
        if (!there) {
          const message = "nothing is left of a deleted child";
          findings.add("deleted-children", { key, message, found: id, severity: "info" });
          continue;
        }
        const child = entityIn(keys[at] as StateKey, value)?.index;
        if (child === undefined) continue;
        if (child.deletedAt === null) {
          const message = "a deleted child is not marked as deleted";
          findings.add("deleted-children", { key, message, found: id });
        } else if (child.parentId !== null && equalBytes(child.parentId, index.id)) {
          tallyOf(key).named.add(id);
          // Entities below a deleted one are deleted with it.
          if (index.deletedAt !== null || !isForEver(child)) continue;
          const message = "the entry is deleted, which nobody may do";
          findings.add("written-once", { key: keys[at] as StateKey, message });
        }
      }
      await pause.ifLong();
    }
  }
}

/** The rights to delete an entry. If no writer has one of them, nobody may delete it. */
const MAY_DELETE = WriterBit.Delete | WriterBit.Admin;

/** Returns true if nobody may delete an entry: it is written once and has no moderators, or no writer may delete it. */
function isForEver({ metadata: { storageType } }: EntityIndex): boolean {
  if (storageType.kind === "User")
    return storageType.rules.immutable && storageType.rules.moderators === null;
  if (storageType.kind !== "Shared") return false;
  const masks = [...storageType.writers.values()];
  return (
    masks.some((mask) => (mask & WriterBit.WriteOnce) !== 0) &&
    masks.every((mask) => (mask & MAY_DELETE) === 0)
  );
}

/** Looks for entries that are written once, and were deleted before they arrived. */
async function lookAtSeals(
  entities: readonly Entity[],
  tools: Finder,
  findings: StateFindings,
  pause: Pause,
): Promise<void> {
  for (const some of slices(entities, ROUND)) {
    const sealed = some.flatMap(({ key, index }) => {
      const { storageType } = index.metadata;
      if (index.deletedAt !== null || storageType.kind !== "User") return [];
      const { immutable, moderators } = storageType.rules;
      if (!immutable) return [];
      return [{ key, seal: writtenOnceSealId(index.id, immutable, moderators ?? undefined) }];
    });
    if (pause.isLong) await pause.ifLong();
    if (sealed.length === 0) continue;
    findings.checked("written-once", sealed.length);
    const found = await tools.find(sealed.map(({ key, seal }) => beside(key, entityKey(seal))));
    for (const [at, { key, seal }] of sealed.entries()) {
      if (!found[at]?.there) continue;
      findings.add("written-once", { key, message: "the entry was deleted before it came", found: seal });
    }
  }
}

/** Values that repeat a part of their key. */
import { equalBytes } from "../../bytes/order.js";
import { indexStateKey } from "../../digests/index.js";
import {
  AbsorbBufferKey,
  ContextDagDelta,
  ContextPrivateState011,
  ContextState011,
  GroupOpLog,
  NamespaceGovOp,
  ScopeUnifiedOp,
} from "../../keys/index.js";
import { documented } from "../../schemas/index.js";
import { RESTORE } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { onBatch, onEach, type Rule } from "../rule.js";
import { only010, since010, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { type IndexReader, indexes, indexes010, type StateRow } from "./entities.js";

function* same(
  key: RowFinding["key"],
  what: string,
  found: Uint8Array,
  expected: Uint8Array,
): Iterable<RowFinding> {
  if (!equalBytes(found, expected))
    yield { key, message: `the value is about another ${what} than the key`, found, expected };
}

export const sameId: Rule = {
  name: "same-id",
  relations: [3],
  severity: "error",
  says: "An id that a value repeats is the one in its key.",
  means: "The value belongs to another row: it was copied to the wrong key, or changed.",
  advice: RESTORE,
  checks: [
    onBatch(only010, ContextState011, (rows, tools) => misplaced(rows, tools, indexes010)),
    onBatch(since011, ContextState011, (rows, tools) => misplaced(rows, tools, indexes)),
    onBatch(since011, ContextPrivateState011, (rows, tools) => misplaced(rows, tools, indexes)),
    onEach([documented, ...since010], ContextDagDelta, function* ({ key, value }, tools) {
      if (!("deltaId" in value)) return;
      tools.checked();
      yield* same(key, "delta", value.deltaId, key.deltaId);
    }),
    onEach(since010, NamespaceGovOp, function* ({ key, value }, tools) {
      const entry = value.skeletonBytes.value;
      if (entry === undefined) return;
      tools.checked();
      if (entry.kind === "Signed") yield* same(key, "namespace", entry.value.namespaceId, key.namespaceId);
      else yield* same(key, "operation", entry.value.deltaId, key.deltaId);
    }),
    onEach(since010, GroupOpLog, function* ({ key, value: { value: operation } }, tools) {
      if (operation === undefined) return;
      tools.checked();
      yield* same(key, "group", operation.groupId, key.groupId);
    }),
    onEach(since011, AbsorbBufferKey, function* ({ key, value: { value: record } }, tools) {
      if (record === undefined) return;
      tools.checked();
      yield* same(key, "delta", record.id, key.deltaId);
    }),
    onEach(since011, ScopeUnifiedOp, function* ({ key, value: { value: operation } }, tools) {
      if (operation === undefined) return;
      tools.checked();
      yield* same(key, "operation", operation.id, key.opId);
      yield* same(key, "scope", operation.scope, key.scope);
    }),
  ],
};

/** Reports index rows of State and PrivateState whose key does not follow from the entity's id. */
async function* misplaced(
  rows: readonly StateRow[],
  tools: Pick<Tools, "checked">,
  indexes: IndexReader,
): AsyncGenerator<RowFinding, void, undefined> {
  const { entities, misplaced } = indexes.read(rows);
  tools.checked(entities.length + misplaced.length);
  for (const { key, index } of misplaced)
    yield {
      key,
      message: "it is the index of an entity that lies under another key",
      found: key.stateKey,
      expected: indexStateKey(index.id),
    };
}

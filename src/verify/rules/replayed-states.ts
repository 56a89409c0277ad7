/** Rules that compare the replayed state of a context with its rows. */
import { fromHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { counted } from "../../bytes/quantity.js";
import {
  ContextActivatedStateVersion,
  ContextDagDelta,
  ContextMeta,
  type ContextState011,
} from "../../keys/index.js";
import type { Core011, Schema } from "../../schemas/index.js";
import { type Contradiction, compareWithRecord, contradictions } from "../../state/index.js";
import { NOTHING } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { notChecked, type ReplayedContext } from "../replayed-context.js";
import { onStates, type Rule } from "../rule.js";
import { type Since010, until011 } from "../since.js";
import type { Tools } from "../tools.js";
import type { StateLayout } from "./state-layout.js";
import { stateLayouts } from "./state-layouts.js";
import { unfinished } from "./unfinished.js";

const LATER = "its deltas carry no hash of their author's state";

const MERGED =
  "the application's own fields, which deltas changed that do not follow each other: only the application merges them";

const OTHER_ROOT =
  "not checked: no state that was tried has the root hash of the author, as after a merge that only the application knows";

const WITHOUT_HASHES =
  "the deltas carry no hash that would tell whether the node took them over from another";

const DROPPED =
  "it is not there; a node that took over the state need not know that it was deleted, after a day";

/** The layouts of State of the revisions whose deltas carry a hash. */
const hashed = stateLayouts.filter(({ revisions }) =>
  revisions.some((one) => (until011 as readonly Schema[]).includes(one)),
);

function keyOf(contextId: Uint8Array, delta: string): ContextDagDelta {
  return new ContextDagDelta({ contextId, deltaId: fromHex(delta) });
}

const stateFromDeltas: Rule = {
  name: "state-from-deltas",
  relations: [52],
  severity: "warning",
  says: "The data of an entity is the result of the deltas of its context.",
  means:
    "The entity was changed without a delta: by hand, by a crash, or by a node that repaired or migrated its state. It is an error if the context's root hash still agrees with the deltas.",
  advice:
    "Compare with a peer's database: `merostore why DB PEER CONTEXT` says which of the two is right. Restore a copy that verifies if this one is wrong.",
  checks: stateLayouts.map((layout) =>
    onStates(layout.revisions, (context, tools) =>
      changedWithoutDelta(context, tools as unknown as Tools<Since010>, layout),
    ),
  ),
};

async function* changedWithoutDelta(
  context: ReplayedContext,
  tools: Tools<Since010>,
  layout: StateLayout,
): AsyncGenerator<RowFinding, void, undefined> {
  const { contextId, reader, replay, record } = context;
  const reason = await uncheckable(context, tools, layout);
  if (reason !== undefined) {
    if (reason !== "") yield notChecked(contextId, reason);
    return;
  }
  const [meta] = await tools.find([new ContextMeta({ contextId })]);
  const migration = await migrationOf(contextId, tools as Tools<Core011>);
  let takenOver = 0;
  for await (const one of contradictions(reader, replay)) {
    if (one.mayBe === "taken over") takenOver++;
    else if (one.mayBe !== undefined) {
      const entity = `entity ${one.entity.slice(0, 8)}…`;
      const which =
        one.mayBe === "merged"
          ? MERGED
          : `${entity}: ${one.mayBe === "unread" ? "its row does not decode" : DROPPED}`;
      yield notChecked(contextId, which);
    }
    if (one.mayBe !== undefined) continue;
    const { rootHash = contextId } = replay;
    const isRoot = meta?.value !== undefined && equalBytes(rootHash, meta.value.rootHash);
    yield {
      key: layout.indexKey(contextId, fromHex(one.entity)),
      message: `${textOf(one)}${isRoot ? "" : migration}`,
      ...(one.found !== undefined && { found: one.found }),
      ...(one.wanted !== undefined && { expected: one.wanted }),
      entity: one.entity,
      ...(one.delta !== undefined && { delta: one.delta.id }),
      ...(isRoot ? { severity: "error" } : migration === "" ? {} : { severity: "info" }),
    };
  }
  if (takenOver > 0)
    yield notChecked(
      contextId,
      `no delta wrote ${counted(takenOver, "entity", "entities")}: ${WITHOUT_HASHES}`,
    );
  tools.checked(replay.tree.byNumber.count);
  for await (const { heads, rootHashes, replayed, agrees } of compareWithRecord(replay, record)) {
    const [delta] = heads;
    if (agrees !== false || delta === undefined) continue;
    const message = "the replay up to this delta does not give the root hash that was recorded after it";
    yield {
      key: keyOf(contextId, delta),
      message,
      found: replayed as string,
      expected: rootHashes.join(" "),
    };
  }
}

/**
 * The reason why a context's state is not compared; empty if there is nothing to compare, undefined if it is compared.
 */
async function uncheckable(
  { contextId, replay }: ReplayedContext,
  tools: Tools<Since010>,
  layout: StateLayout,
): Promise<string | undefined> {
  const [isUnfinished] = await unfinished(tools, [contextId]);
  if (isUnfinished === true) return replay.length === 0 ? "" : "the state is not there yet";
  const isNew = replay.length === 0 && !replay.isJoined;
  if (!isNew) return undefined;
  const root = layout.indexKey(contextId, contextId) as ContextState011;
  const [found] = await tools.find([root]);
  return found?.there ? "no delta of the context is there that is applied" : "";
}

/**
 * A message about a migration of a context's state, which writes the state without a delta; empty if there was no
 * migration.
 */
async function migrationOf(contextId: Uint8Array, tools: Tools<Core011>): Promise<string> {
  const [activated] = await tools.find([new ContextActivatedStateVersion({ contextId })]);
  const version = activated?.value?.stateVersion;
  return version === undefined ? "" : `; a migration to version ${version} of the state can have written it`;
}

function textOf({ how, delta, found }: Contradiction): string {
  const by = delta === undefined ? "a delta" : `delta ${delta.id.slice(0, 8)}…`;
  switch (how) {
    case "other data":
      return `the data is not what ${by} wrote last`;
    case "not written by any delta":
      return "no delta wrote the entity";
    case "deleted by a delta":
      return `${by} deleted the entity, and it is there`;
    case "absent":
      return `${by} wrote the entity, and it is not there`;
    case "damaged":
      return `the data ${found === undefined ? "is not there" : "does not have the hash in its row"}${delta === undefined ? "" : `; ${by} wrote it last`}`;
  }
}

const namesWhatItSaw: Rule = {
  name: "delta-names-what-it-saw",
  relations: [53],
  severity: "warning",
  laterUnknown: LATER,
  says: "A delta follows every delta that its author's node had applied.",
  means:
    "The author's node had applied another delta and did not name it as a parent: a race in the node. Nothing is lost if both write other entities; a deletion or a change of writers that was seen and not named can part nodes for good.",
  advice: NOTHING,
  checks: hashed.map(({ revisions }) => onStates(revisions, unnamed)),
};

async function* unnamed(
  { contextId, replay }: ReplayedContext,
  tools: Tools,
): AsyncGenerator<RowFinding, void, undefined> {
  const without = { unknown: 0, differs: 0, missing: 0 };
  const positions = await replay.positions();
  const differs = (number: number): boolean => positions[number]?.verdict === "differs";
  for (const { delta, position, verdict, unnamed } of positions) {
    if (verdict === "differs" && !replay.graph.parents(position - 1).some(differs))
      yield { key: keyOf(contextId, delta), message: OTHER_ROOT, severity: "info" };
    else if (verdict === "unknown" || verdict === "differs") without[verdict]++;
    else if ((await replay.perhapsFollowed(position)) > 0) without.missing++;
    else tools.checked();
    const [first] = unnamed;
    if (first === undefined) continue;
    const more = unnamed.length - 1;
    yield {
      key: keyOf(contextId, delta),
      message: `its author had also applied ${more === 0 ? "another delta, which it does not name as a parent" : `${unnamed.length} other deltas, which it does not name as parents`}`,
      found: more === 0 ? first : unnamed.join(" "),
    };
  }
  const of = counted(positions.length, "delta");
  if (without.differs > 0)
    yield notChecked(
      contextId,
      `${without.differs} of ${of}: they follow one after which no state that was tried has the root hash of the author`,
    );
  if (without.missing > 0)
    yield notChecked(
      contextId,
      `${without.missing} of ${of}: a delta that is not there can follow what their authors had applied`,
    );
  if (without.unknown > 0)
    yield notChecked(contextId, `${without.unknown} of ${of}: data from before the first delta is not known`);
}

const baseHash: Rule = {
  name: "base-hash",
  relations: [54],
  severity: "warning",
  says: "The state that a node took over with a snapshot has the root hash in the checkpoint.",
  means:
    "An entity that no delta of this database wrote was changed since: by hand, or by a node that repaired or migrated its state.",
  advice: "Compare with a peer's database: `merostore diff DB PEER --by context`.",
  checks: stateLayouts.map(({ revisions }) => onStates(revisions, otherBase)),
};

async function* otherBase(
  { contextId, replay }: ReplayedContext,
  tools: Tools,
): AsyncGenerator<RowFinding, void, undefined> {
  const { isJoined, baseHash, checkpoint, checkpointIds } = replay;
  if (!isJoined) return;
  const [delta] = checkpointIds;
  if (checkpoint === undefined || delta === undefined)
    yield notChecked(contextId, "no checkpoint says which root hash the state had before the first delta");
  else if (baseHash === undefined)
    yield notChecked(contextId, "later deltas wrote over data of the state that was taken over");
  else {
    tools.checked();
    if (!equalBytes(baseHash, checkpoint))
      yield {
        key: keyOf(contextId, delta),
        message:
          "today's rows without the changes of later deltas do not have the root hash of the checkpoint",
        found: baseHash,
        expected: checkpoint,
      };
  }
}

/** The rules about the replay of a context's deltas. */
export const replayedStateRules: readonly Rule[] = [stateFromDeltas, namesWhatItSaw, baseHash];

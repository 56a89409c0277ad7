/** Why a node does not get the deltas of a context any more. */
import type { Side } from "./side.js";
import type { WhyVerdict } from "./verdict.js";

/** A reason. */
export interface Absence {
  /** The verdict that it leads to. */
  readonly verdict: WhyVerdict;
  /** The kind of cause. */
  readonly rule: "account" | "parent" | "key";
  /** A sentence, without an end. */
  readonly sentence: string;
  /** The deltas that it is about, 64 hex digits each. */
  readonly deltas: readonly string[];
}

/** The reason why a side is behind another; undefined if nothing says it. */
export async function absenceOf(behind: Side, ahead: Side): Promise<Absence | undefined> {
  return (await goneFrom(behind, ahead)) ?? waitingFor(behind, ahead) ?? (await withoutKey(behind, ahead));
}

/** The account of the side left the group of the context, or was removed. */
async function goneFrom({ source: { name, node } }: Side, ahead: Side): Promise<Absence | undefined> {
  const { account, publicKeys } = await node.own();
  const group = (await ahead.source.node.context(ahead.replay.contextId))?.group;
  if (group === undefined) return undefined;
  const details = await ahead.source.node.groupDetails(group.id);
  const isOwn = (id: string): boolean => id === account || publicKeys.has(id);
  for (const one of [details, details && (await ahead.source.node.groupDetails(details.namespace.id))]) {
    const gone = one?.gone.find(({ member }) => isOwn(member.id));
    if (one === undefined || gone === undefined) continue;
    const who = gone.member.name ?? gone.member.id.slice(0, 8);
    const named = one.group.name ?? (await node.names()).group(one.group.id).name;
    const where = named ?? one.group.id.slice(0, 8);
    const did = gone.why === "Left" ? `left ${where}` : `was removed from ${where}`;
    return {
      verdict: "left",
      rule: "account",
      sentence: `${name} is the node of ${who}, who ${did}`,
      deltas: [],
    };
  }
  return undefined;
}

/** A delta waits for another one that is not there. */
function waitingFor({ source, replay, applied }: Side, ahead: Side): Absence | undefined {
  const known = new Set([...applied, ...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  for (const { id, parents } of replay.pending) {
    const missing = parents.filter((parent) => !known.has(parent));
    const [first] = missing;
    if (first === undefined) continue;
    const has = ahead.applied.has(first) ? `, which ${ahead.source.name} has` : "";
    return {
      verdict: "parent-missing",
      rule: "parent",
      sentence: `delta ${id.slice(0, 8)} waits at ${source.name} for ${first.slice(0, 8)}${has}`,
      deltas: [id, ...missing],
    };
  }
  return undefined;
}

/** The group has a key that the side does not hold. */
async function withoutKey({ source }: Side, ahead: Side): Promise<Absence | undefined> {
  const group = (await ahead.source.node.context(ahead.replay.contextId))?.group;
  if (group === undefined) return undefined;
  const [theirs, ours] = await Promise.all(
    [ahead.source.node, source.node].map(async (node) => (await node.groupDetails(group.id))?.keys ?? []),
  );
  const held = new Set(ours?.map(({ id }) => id));
  const newest = theirs?.[0];
  if (newest === undefined || held.has(newest.id)) return undefined;
  const where = group.name ?? group.id.slice(0, 8);
  return {
    verdict: "key-missing",
    rule: "key",
    sentence: `${source.name} does not hold the key ${newest.id.slice(0, 8)} of ${where}, which ${ahead.source.name} holds`,
    deltas: [],
  };
}

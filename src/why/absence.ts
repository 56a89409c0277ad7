/** Reasons why a node no longer gets the deltas of a context or the operations on a group. */
import type { NewCause } from "./causes.js";
import { type Naming, shortId } from "./naming.js";
import type { Peer, Side } from "./side.js";
import type { WhyVerdict } from "./verdict.js";

/** A reason. */
interface Absence {
  /** The verdict for this reason. */
  readonly verdict: WhyVerdict;
  /** A sentence without a full stop. */
  readonly sentence: string;
  /** The causes, the oldest first. */
  readonly causes: readonly NewCause[];
}

/** A group, the two nodes, and their names for things. */
export interface ComparedGroup {
  readonly behind: Peer;
  readonly ahead: Peer;
  /** 64 hex digits. */
  readonly group: string;
  readonly naming: Naming;
}

/**
 * The reason if the account of `behind` left the group or its namespace, or was removed, and the account of `ahead` was
 * not; otherwise undefined.
 */
export async function goneFrom({
  behind,
  ahead,
  group,
  naming,
}: ComparedGroup): Promise<Absence | undefined> {
  const [own, others] = await Promise.all([behind, ahead].map(({ source }) => source.node.own()));
  const isOf = (node: typeof own, id: string): boolean =>
    id === node?.account || node?.publicKeys.has(id) === true;
  const details = await ahead.source.node.groupDetails(group);
  const above = details && (await ahead.source.node.groupDetails(details.namespace.id));
  for (const one of [details, above]) {
    const gone = one?.gone.find(({ member: { id } }) => isOf(own, id) && !isOf(others, id));
    if (one === undefined || gone === undefined) continue;
    const namespace = one.namespace.id;
    const governance = await ahead.governance(namespace);
    const id = governance?.lastChange("GroupReentryBlock", [one.group.id, gone.member.id]);
    const [operation] = id === undefined ? [] : await ahead.source.node.operationsOf(namespace, [id]);
    const who = naming.of(gone.member);
    const where = naming.group(one.group.id);
    const did = gone.why === "Left" ? `left ${where}` : `was removed from ${where}`;
    const by = operation === undefined ? "" : ` with operation ${operation.sequence}`;
    const is = who === behind.name ? behind.name : `${behind.name} is the node of ${who}, who`;
    const sentence = `${is} ${did}${by}`;
    const said = operation === undefined ? sentence : naming.operation(operation);
    const operations = id === undefined ? [] : [id];
    return { verdict: "left", sentence, causes: [{ rule: "account", sentence: said, operations }] };
  }
  return undefined;
}

/** True if the account of `behind` is a member of the group according to `ahead`. */
export async function isMemberOf({ behind, ahead, group }: ComparedGroup): Promise<boolean> {
  const { account, publicKeys } = await behind.source.node.own();
  const members = await ahead.source.node.members(group);
  return members.some(({ member }) => member.id === account || publicKeys.has(member.id));
}

/**
 * The reason if `behind` does not hold the group's newest key; undefined if it does, or if it does not have the
 * operation that the key came with.
 */
export async function withoutKey({
  behind,
  ahead,
  group,
  naming,
}: ComparedGroup): Promise<Absence | undefined> {
  const [theirs, ours] = await Promise.all(
    [ahead, behind].map(async ({ source }) => source.node.groupDetails(group)),
  );
  const newest = theirs?.keys[0];
  if (theirs === undefined || newest === undefined || ours?.keys.some(({ id }) => id === newest.id))
    return undefined;
  const [operations, known] = await Promise.all(
    [ahead, behind].map(async (peer) => (await peer.governance(theirs.namespace.id))?.operations),
  );
  const rotation = [...(operations?.values() ?? [])].find(({ newKey }) => newKey === newest.id);
  if (rotation !== undefined && known?.has(rotation.id) !== true) return undefined;
  const sentence = `${behind.name} does not hold the key ${shortId(newest.id)} of ${naming.group(group)}, which ${ahead.name} holds`;
  return { verdict: "key-missing", sentence, causes: [{ rule: "key", sentence }] };
}

/**
 * The reason if a pending delta waits for a parent that the side does not have; undefined if no delta waits.
 *
 * @param only ids of the deltas that count
 */
export function waitingFor(
  { source, replay, applied }: Side,
  ahead: Side,
  only?: readonly string[],
): (Absence & { readonly missing: readonly string[] }) | undefined {
  const known = new Set([...applied, ...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  for (const { id, parents } of replay.pending) {
    if (only?.includes(id) === false) continue;
    const missing = parents.filter((parent) => !known.has(parent));
    const [first] = missing;
    if (first === undefined) continue;
    const has = ahead.applied.has(first) ? `, which ${ahead.source.name} has` : "";
    const sentence = `delta ${shortId(id)} waits at ${source.name} for ${shortId(first)}${has}`;
    return {
      verdict: "parent-missing",
      sentence,
      causes: [{ rule: "parent", sentence, deltas: [id, ...missing] }],
      missing,
    };
  }
  return undefined;
}

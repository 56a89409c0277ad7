/** Rows that differ from the replay of a namespace's operations and that no honest node has. */
import { fromHex } from "../bytes/hex.js";
import type { RowDifference } from "../diff/browser.js";
import { GroupOpLog } from "../keys/index.js";
import type { RowFact } from "../node/index.js";
import type { Governance } from "../node/replay/governance.js";
import { signedThing } from "../node/signed.js";
import { namespaceOf } from "../node/tables/groups.js";
import type { Causes, Words } from "./causes.js";
import { shortId } from "./naming.js";
import type { Peer } from "./side.js";

/** The statuses of rows that no honest node has. */
const WRONG: readonly RowFact["status"][] = ["differs", "missing", "without operation"];

/** True if a row differs from the replay of the operations, and no honest node has it. */
export function isWrong({ status }: RowFact): boolean {
  return WRONG.includes(status);
}

/** The fault of a row in words. */
export function factText({ kind, status, operation, fields }: RowFact): string {
  const by = operation?.id === undefined ? undefined : `operation ${shortId(operation.id)}`;
  if (status === "missing") return `the ${kind} ${by === undefined ? "" : `that ${by} set `}is not there`;
  if (status === "differs")
    return by === undefined
      ? `${fields.join(", ")} of ${kind}`
      : `${kind} has another ${fields.join(", ")} than ${by} set`;
  return by === undefined ? `no operation set ${kind}` : `${kind} is there, and ${by} removed it`;
}

/** The fault of a row of a group's log that the node itself signed; undefined if the signature is right. */
export async function unsignedFact(
  { source }: Peer,
  governance: Governance | undefined,
  { column, key }: RowDifference,
): Promise<RowFact | undefined> {
  const fact = governance?.ifUnsigned(GroupOpLog.fromBytes(fromHex(key)));
  const value = fact && (await source.reader.raw.get(column, fact.key.bytes));
  return value === undefined || signedThing(value)?.isSigned ? undefined : fact;
}

/** Kinds of rows that operations of groups set, with the id of a context as key. */
const OF_GROUPS: readonly string[] = ["ContextGroupRef", "ContextServiceName"];

/** Gathers the rows of a context that operations of its group set. */
export class RowsOfGroups {
  readonly #rows: RowDifference[] = [];

  /** Takes a row of these kinds; returns false for any other row. */
  take(row: RowDifference): boolean {
    return row.kind !== null && OF_GROUPS.includes(row.kind) && this.#rows.push(row) > 0;
  }

  /**
   * Adds a cause for each row that is wrong on one side; other rows become unexplained. Returns the words on each
   * cause.
   */
  async addTo(causes: Causes, peers: readonly [Peer, Peer]): Promise<readonly Words[]> {
    const words = [];
    for (const row of this.#rows) {
      const known = await Promise.all(peers.map((peer) => knownOf(peer, peers, row)));
      // An operation that cannot be read may have set the row.
      const at = known.findIndex(({ fact }) => fact?.unreadable === 0 && isWrong(fact));
      const [peer, other] = [peers[at], peers[1 - at]];
      const fact = known[at]?.fact;
      if (fact === undefined || peer === undefined || other === undefined) {
        causes.take(row, "unexplained");
        continue;
      }
      const { fact: ofOther, operation } = known[1 - at] as Known;
      const isRight = ofOther === undefined && operation === fact.operation?.id;
      const judge = isRight ? `; ${other.name} is right` : "";
      const sentence = `a row of the context at ${peer.name} differs from the replay of the operations: ${factText(fact)}${judge}`;
      causes.take(row, causes.add({ rule: "contradiction", sentence }));
      words.push({ sentence, about: [peer.name] });
    }
    return words;
  }
}

/** The result of a node's operations for a row. */
interface Known {
  /** The contradiction between the row and the operations; undefined if they agree. */
  readonly fact: RowFact | undefined;
  /** The id of the operation that set it last; undefined if none did. */
  readonly operation: string | undefined;
}

/** Looks in the namespace of the context on each node, because one node may have a forged one. */
async function knownOf(
  peer: Peer,
  peers: readonly [Peer, Peer],
  { kind, key }: RowDifference,
): Promise<Known> {
  const context = key.slice(-64);
  const namespaces = new Set<string>();
  for (const one of peers) {
    const group = (await one.contexts()).get(context)?.group;
    if (group !== undefined) namespaces.add(namespaceOf(await one.groups(), group));
  }
  const governed = await Promise.all([...namespaces].map((namespace) => peer.governance(namespace)));
  return {
    fact: governed.flatMap((one) => one?.facts.get(key) ?? [])[0],
    operation: governed.flatMap((one) => one?.lastChange(kind ?? "", [context]) ?? [])[0],
  };
}

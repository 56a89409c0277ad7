/** Compares the rows of groups with the signed operations that made them. */
import { fromHex } from "../../bytes/hex.js";
import { GroupKeyEntry, GroupOpLog, NamespaceGovHead, NamespaceGovOp } from "../../keys/index.js";
import type { OperationName, RowFact } from "../../node/replay/index.js";
import { COMPARE, NOTHING, RESTORE, SYNC } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { onReplay, type Rule } from "../rule.js";
import { until011 } from "../since.js";

/** The number of digits of an operation's id in messages. */
const DIGITS = 8;

function nameOf({ id, kind = "an operation that cannot be read", logged }: OperationName): string {
  return id === undefined
    ? `${kind} (number ${logged} of the group's log)`
    : `${kind} (${id.slice(0, DIGITS)}…)`;
}

/** The row of an operation. */
function keyOf({ namespace, id, group, logged }: OperationName): NamespaceGovOp | GroupOpLog {
  return id === undefined
    ? new GroupOpLog({ groupId: fromHex(group ?? namespace), sequence: logged ?? 0n })
    : new NamespaceGovOp({ namespaceId: fromHex(namespace), deltaId: fromHex(id) });
}

/**
 * A finding about a row. It is only an info if operations on the group cannot be read, because one of them may explain
 * the row.
 */
function aboutRow({ key, unreadable }: RowFact, message: string): RowFinding {
  if (unreadable === 0) return { key, message };
  const cannot = unreadable === 1 ? "an operation" : `${unreadable} operations`;
  return { key, message: `${message}; ${cannot} on the group cannot be read`, severity: "info" };
}

const withoutOperation: Rule = {
  name: "row-without-operation",
  relations: [],
  severity: "error",
  says: "A row of a group follows from signed operations, or is one that nodes write without an operation.",
  means:
    "The row says something that nobody signed: it was added by hand, or the operation that removed it was undone.",
  advice: `Look at the group's history: \`merostore log DB GROUP\`. ${COMPARE}`,
  checks: [
    onReplay((fact) => {
      if (fact.fact === "unnamed group") {
        const { key, rows } = fact;
        const message = `no operation names the group of this row, which has ${rows} ${rows === 1 ? "row" : "rows"}`;
        return { key, message, severity: "warning" };
      }
      if (fact.fact !== "row") return 0;
      const { key, status, operation } = fact;
      if (status === "unconfirmed")
        return {
          key,
          message: "no operation makes this row; perhaps this node answered a request to join",
          severity: "warning",
        };
      if (status !== "without operation") return 1;
      return aboutRow(
        fact,
        operation === undefined ? "no operation makes this row" : `${nameOf(operation)} removed this row`,
      );
    }),
  ],
};

const withoutRow: Rule = {
  name: "operation-without-row",
  relations: [],
  severity: "error",
  says: "What a signed operation makes is there, unless a later one removed it.",
  means: "A row of the group was deleted, although the operation that makes it was applied.",
  advice: RESTORE,
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "row") return 0;
      if (fact.status !== "missing") return 1;
      const by = fact.operation === undefined ? "an operation" : nameOf(fact.operation);
      return aboutRow(fact, `${by} makes this row, which is not there`);
    }),
  ],
};

const otherValue: Rule = {
  name: "row-differs-from-operation",
  relations: [],
  severity: "error",
  says: "The fields of a group's row are those that the last operation on it set.",
  means:
    "Somebody changed the row without an operation: roles, rights or settings are not those that members signed.",
  advice: `Look at the operation: \`merostore show DB ID\`. ${RESTORE}`,
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "row") return 0;
      const { status, operation, fields } = fact;
      if (status !== "differs") return 1;
      const than =
        operation === undefined
          ? "differs from the replay of the operations"
          : `not what ${nameOf(operation)} set`;
      return aboutRow(fact, `${than}: ${fields.join(", ")}`);
    }),
  ],
};

const loggedOtherwise: Rule = {
  name: "logged-operation",
  relations: [],
  severity: "error",
  says: "An operation in a group's own log is the one that was signed.",
  means: "The group's log attributes an operation to a member who did not sign it.",
  advice: RESTORE,
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "logged otherwise") return fact.fact === "replayed" ? fact.logged : 0;
      const { operation } = fact;
      const key = new GroupOpLog({
        groupId: fromHex(operation.group ?? operation.namespace),
        sequence: operation.logged ?? 0n,
      });
      return { key, message: `the row does not hold what was signed: ${nameOf(operation)}` };
    }),
  ],
};

const notLogged: Rule = {
  name: "operation-not-logged",
  relations: [],
  severity: "error",
  says: "An operation that this node made is in its group's own log, and so is one of others that it could apply.",
  means: "The row of the group's log is gone, or the operation of another member was not applied here yet.",
  advice: SYNC,
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "not logged") return fact.fact === "replayed" ? fact.logged : 0;
      const { operation, isOwn } = fact;
      const message = isOwn
        ? `${nameOf(operation)} was made here, and is not in the group's log`
        : `${nameOf(operation)} can be read, and is not in the group's log`;
      return { key: keyOf(operation), message, ...(!isOwn && { severity: "warning" }) };
    }),
  ],
};

const stateHash: Rule = {
  name: "group-state-hash",
  relations: [],
  severity: "warning",
  says: "A group's admin, owner, application and members are those whose hash an operation asserts.",
  means:
    "The signer of the operation saw other members than this node: the two nodes differ about the group.",
  advice: COMPARE,
  laterUnknown: "no source says what the hash of a group's state covers",
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "hash") return 0;
      if (fact.isEqual) return 1;
      const message = `the group's state has another hash than ${nameOf(fact.operation)} asserts`;
      return { key: keyOf(fact.operation), message };
    }, until011),
  ],
};

const groupKey: Rule = {
  name: "group-key-envelope",
  relations: [],
  severity: "error",
  says: "A group's key that was sent to this node is there, and is the one in the envelope.",
  means: "The node cannot read what the group encrypts under this key.",
  advice: RESTORE,
  checks: [
    onReplay((fact) => {
      if (fact.fact !== "key" && fact.fact !== "key gone") return 0;
      if (fact.fact === "key" && fact.isEqual) return 1;
      const { operation, group, keyId } = fact;
      const key = new GroupKeyEntry({ groupId: fromHex(group), keyId: fromHex(keyId) });
      const message =
        fact.fact === "key"
          ? `the key is not the one that ${nameOf(operation)} brought`
          : `the key of ${nameOf(operation)} is not there, although this node had it`;
      return { key, message };
    }),
  ],
};

const notReplayed: Rule = {
  name: "operation-not-replayed",
  relations: [],
  severity: "info",
  says: "All operations can be read and replayed in the order in which this node applied them.",
  means:
    "What these operations changed is not proven. A node that joined late, or left, has such operations.",
  advice: NOTHING,
  checks: [
    onReplay((fact) => {
      switch (fact.fact) {
        case "unreadable": {
          const { namespace, group, count } = fact;
          const operations = count === 1 ? "1 operation" : `${count} operations`;
          return {
            key: new NamespaceGovHead({ namespaceId: fromHex(namespace) }),
            message: `${operations} on group ${group.slice(0, DIGITS)}… cannot be read: its rows are proven in part`,
          };
        }
        case "never sent":
          return {
            key: keyOf(fact.operation),
            message: `${nameOf(fact.operation)} was never sent to other nodes`,
          };
        case "late":
          return { key: keyOf(fact.operation), message: `${nameOf(fact.operation)} was applied late` };
        case "replayed":
          return fact.operations;
        default:
          return 0;
      }
    }),
  ],
};

/** Rules about governance operations and the rows that they write. */
export const governanceRules: readonly Rule[] = [
  withoutOperation,
  withoutRow,
  otherValue,
  loggedOtherwise,
  notLogged,
  stateHash,
  groupKey,
  notReplayed,
];

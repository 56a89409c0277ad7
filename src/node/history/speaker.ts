/** The names in the sentences of a log. */
import { toHex } from "../../bytes/hex.js";
import type { OperationRevision } from "../../payloads/index.js";
import type { Named, Names, ThingKind } from "../names.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";
import type { Speaker } from "../sentences/sentence.js";
import type { SaidByLog } from "./said.js";

/** Names of a database, and of the log that an operation is in. */
export interface LogNames {
  readonly names: Names;
  readonly said: SaidByLog;
  /** True if members are accounts, as since core-0.11. */
  readonly accounts: boolean;
  /** The revision of the operations. */
  readonly revision: OperationRevision;
  /** The namespace of the log. */
  readonly namespace: string;
}

/** The account that signs with a key, or the key itself. */
export function actorOf({ names, said }: LogNames, signer: string, ...groups: readonly string[]): Named {
  const known = names.signer(signer, ...groups);
  if (known.id !== signer) return withName(known, said);
  const account = said.accounts.get(signer);
  if (account !== undefined) return withName(names.member(account, ...groups), said);
  return withName(known, said);
}

/** The names that the sentence of an operation needs. */
export function speakerOf(log: LogNames, signer: string, group: string): Speaker {
  const { names, said, accounts, namespace } = log;
  const plain = (kind: ThingKind, id: Uint8Array): Named => ({ kind, id: toHex(id), name: undefined });
  const groups = [group, namespace];
  return {
    actor: actorOf(log, signer, ...groups),
    group: withName(names.group(group), said),
    accounts,
    groupOf: (id) => {
      const named = withName(names.group(toHex(id)), said);
      // A group that is gone has no parent any more.
      return named.id === namespace ? named : { ...named, kind: "group" };
    },
    contextOf: (id) => withName(names.context(toHex(id)), said),
    memberOf: (id) => withName(names.member(toHex(id), ...groups), said),
    signerOf: (key) => actorOf(log, toHex(key), ...groups),
    // Before core-0.11 an operation names something else.
    applicationOf: (id, code) =>
      names.application(toHex(id), accounts && code !== undefined ? toHex(code) : undefined),
    deviceOf: (id) => plain("device", id),
    ownerOf: (device) => {
      const account = said.devices.get(toHex(device)) ?? names.ownerOf(toHex(device));
      return account === undefined
        ? plain("device", device)
        : withName(names.member(account, ...groups), said);
    },
    blobOf: (id) => plain("blob", id),
  };
}

/**
 * The account that acted: the member who joins or leaves, no matter which of its devices signed; otherwise the signer.
 */
export function actingIn(op: AnyGroupOp | AnyRootOp, by: Speaker): Named {
  const { actor, memberOf } = by;
  switch (op.kind) {
    case "MemberJoined":
    case "MemberJoinedAt":
    case "MemberJoinedOpen":
    case "MemberLeft":
      return memberOf(op.member);
    case "NamespaceCreated":
    case "NamespaceCreatedV2":
      return memberOf(op.founder);
    case "OnBehalf":
      return actingIn(op.op, { ...by, actor: memberOf(op.delegation.warrant.authorAccount) });
    case "ContextRegisteredOnBehalf":
      return memberOf(op.delegation.warrant.authorAccount);
    case "RootGuarded":
      return actingIn(op.op, by);
    default:
      return actor;
  }
}

function withName(thing: Named, said: SaidByLog): Named {
  return thing.name === undefined ? { ...thing, name: said.names.get(thing.id) } : thing;
}

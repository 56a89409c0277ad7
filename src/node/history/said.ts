/** Names and keys that only operations of a log have, and rows no longer: of members who left, of groups that are gone. */
import { toHex } from "../../bytes/hex.js";
import type { DeviceCert } from "../../payloads/index.js";
import { isThisNode } from "../names.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";

/** Names and keys as operations gave them, the last one each. Ids are 64 hex digits. */
export class SaidByLog {
  /** Names of members, groups and contexts. */
  readonly names = new Map<string, string>();
  /** Accounts by the public keys that their devices sign with. */
  readonly accounts = new Map<string, string>();
  /** Accounts by the ids of their devices. */
  readonly devices = new Map<string, string>();

  /** Takes over the names in an operation on a namespace. */
  root(op: AnyRootOp): void {
    if ("account" in op) this.#certificate(op.account.statement);
    if (op.kind === "OnBehalf" || op.kind === "RootGuarded") this.root(op.op);
  }

  /** Takes over the names in an operation on a group. */
  group(op: AnyGroupOp, groupId: Uint8Array): void {
    switch (op.kind) {
      case "GroupMetadataSet":
      case "GroupAliasSet":
        this.#name(groupId, "alias" in op ? op.alias : op.name);
        break;
      case "MemberMetadataSet":
      case "MemberAliasSet":
        this.#name(op.member, "alias" in op ? op.alias : op.name);
        break;
      case "ContextMetadataSet":
      case "ContextAliasSet":
      case "ContextRegisteredOnBehalf":
        this.#name(op.contextId, "alias" in op ? op.alias : op.name);
        break;
      case "AccountDeviceLinked":
        this.#certificate(op.cert);
        break;
      case "AccountDeviceCertified":
        this.#certificate(op.credential.statement);
        break;
      case "OnBehalf":
      case "RootGuarded":
        this.group(op.op, groupId);
        break;
      default:
    }
  }

  #name(id: Uint8Array, name: string | null): void {
    if (name && !isThisNode(name)) this.names.set(toHex(id), name);
  }

  #certificate({ account, device, signPk }: DeviceCert): void {
    this.accounts.set(toHex(signPk), toHex(account));
    this.devices.set(toHex(device), toHex(account));
  }
}

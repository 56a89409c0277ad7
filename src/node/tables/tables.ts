/** The tables of a database that several answers need, each read at most once, when it is first needed. */
import { type AliasRecords, readAliases } from "./aliases.js";
import { type ApplicationRecord, type NamingOptions, readApplications } from "./applications.js";
import { type ContextRecord, readContexts } from "./contexts.js";
import { type GroupRecord, readGroups } from "./groups.js";
import { type DeviceRecord, type MemberNames, readDevices, readMemberNames } from "./members.js";
import { once } from "./once.js";
import { type OwnNode, readOwnNode } from "./own.js";
import type { NodeReader } from "./rows.js";

/** Functions that read the tables. All calls of one return the same table. */
export interface Tables {
  readonly reader: NodeReader;
  own(): Promise<OwnNode>;
  aliases(): Promise<AliasRecords>;
  applications(): Promise<ReadonlyMap<string, ApplicationRecord>>;
  contexts(): Promise<ReadonlyMap<string, ContextRecord>>;
  groups(): Promise<ReadonlyMap<string, GroupRecord>>;
  memberNames(): Promise<MemberNames>;
  /** The devices by the public keys that they sign with. A live one comes before one that is not. */
  signers(): Promise<ReadonlyMap<string, DeviceRecord>>;
}

/** The tables of a database. Nothing is read yet. */
export function tablesOf(reader: NodeReader, naming: NamingOptions = {}): Tables {
  return {
    reader,
    own: once(() => readOwnNode(reader)),
    aliases: once(() => readAliases(reader)),
    applications: once(() => readApplications(reader, naming)),
    contexts: once(() => readContexts(reader)),
    groups: once(() => readGroups(reader)),
    memberNames: once(() => readMemberNames(reader)),
    signers: once(async () => {
      const signers = new Map<string, DeviceRecord>();
      for (const device of await readDevices(reader))
        if (device.live || !signers.has(device.signKey)) signers.set(device.signKey, device);
      return signers;
    }),
  };
}

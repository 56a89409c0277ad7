import { b32, bytes, type Decoded, enumOf, option, str, struct, u32, u64, vec } from "../../codec/index.js";
import { HybridTimestamp } from "../../payloads/hybrid-timestamp.js";

/** How far an upgrade is: counts of contexts, or when it was done (Unix seconds). 2, 10 or 13 bytes. */
export const GroupUpgradeStatus = enumOf("GroupUpgradeStatus", {
  InProgress: { total: u32, completed: u32, failed: u32 },
  Completed: { completedAt: option(u64) },
});
export type GroupUpgradeStatus = Decoded<typeof GroupUpgradeStatus>;

/** The same as the document states it. 9 or 25 bytes. */
export const GroupUpgradeStatusDocumented = enumOf("GroupUpgradeStatus", {
  InProgress: { total: u64, completed: u64, failed: u64 },
  Completed: { completedAt: u64 },
});
export type GroupUpgradeStatusDocumented = Decoded<typeof GroupUpgradeStatusDocumented>;

/** An upgrade of a group's application. `initiatedAt` is in Unix seconds. From 51 bytes. */
export const GroupUpgradeValue010 = struct("GroupUpgradeValue", {
  fromVersion: str,
  toVersion: str,
  migration: option(bytes),
  initiatedAt: u64,
  initiatedBy: b32,
  status: GroupUpgradeStatus,
});
export type GroupUpgradeValue010 = Decoded<typeof GroupUpgradeValue010>;

/** The same as the document states it: versions are numbers. From 66 bytes. */
export const GroupUpgradeValueDocumented = struct("GroupUpgradeValue", {
  fromVersion: u64,
  toVersion: u64,
  migration: option(str),
  initiatedAt: u64,
  initiatedBy: b32,
  status: GroupUpgradeStatusDocumented,
});
export type GroupUpgradeValueDocumented = Decoded<typeof GroupUpgradeValueDocumented>;

/** The name of the migration method that a context ran last. From 4 bytes. */
export const GroupContextLastMigrationValue = struct("GroupContextLastMigrationValue", { method: str });
export type GroupContextLastMigrationValue = Decoded<typeof GroupContextLastMigrationValue>;

/** An upgrade in core-0.11, with the cascade that it belongs to. From 57 bytes. */
export const GroupUpgradeValue = struct("GroupUpgradeValue", {
  fromVersion: str,
  toVersion: str,
  migration: option(bytes),
  initiatedAt: u64,
  initiatedBy: b32,
  status: GroupUpgradeStatus,
  cascadeHlc: option(HybridTimestamp),
  cascadeSeq: option(u64),
  toStateVersion: u32,
});
export type GroupUpgradeValue = Decoded<typeof GroupUpgradeValue>;

/** A version of an application on the way of a group's upgrades. 64 bytes. */
export const LadderRung = struct("LadderRung", { appKey: b32, applicationId: b32 });
export type LadderRung = Decoded<typeof LadderRung>;

/** The versions that a group went through, oldest first. From 4 bytes. */
export const UpgradeLadderValue = struct("UpgradeLadderValue", { rungs: vec(LadderRung) });
export type UpgradeLadderValue = Decoded<typeof UpgradeLadderValue>;

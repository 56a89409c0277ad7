/** Upgrades of a group's application. */
import {
  b32,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  option,
  seconds,
  str,
  struct,
  u32,
  u64,
  vec,
} from "../../codec/index.js";
import { HybridTimestamp, HybridTimestamp011 } from "../../payloads/hybrid-timestamp.js";

const groupUpgradeStatus = {
  /** Contexts are being upgraded. */
  InProgress: {
    /** Number of contexts to upgrade. */
    total: u32,
    /** Number of contexts that are upgraded. */
    completed: u32,
    /** Number of contexts whose upgrade failed. */
    failed: u32,
  },
  /** The upgrade is done. */
  Completed: {
    /** When, in Unix seconds, or null. */
    completedAt: option(seconds(u64)),
  },
};

/** Progress of an upgrade. 2, 10 or 13 bytes. */
export const GroupUpgradeStatus: Codec<GroupUpgradeStatus> = enumOf("GroupUpgradeStatus", groupUpgradeStatus);
export type GroupUpgradeStatus = EnumOf<typeof groupUpgradeStatus>;
const groupUpgradeStatusDocumented = {
  /** Contexts are being upgraded. */
  InProgress: {
    /** Number of contexts to upgrade. */
    total: u64,
    /** Number of contexts that are upgraded. */
    completed: u64,
    /** Number of contexts whose upgrade failed. */
    failed: u64,
  },
  /** The upgrade is done. */
  Completed: {
    /** When, in Unix seconds. */
    completedAt: seconds(u64),
  },
};

/** Progress of an upgrade, in the document. 9 or 25 bytes. */
export const GroupUpgradeStatusDocumented: Codec<GroupUpgradeStatusDocumented> = enumOf(
  "GroupUpgradeStatus",
  groupUpgradeStatusDocumented,
);
export type GroupUpgradeStatusDocumented = EnumOf<typeof groupUpgradeStatusDocumented>;

const beforeCascade = {
  /** Version of the application before; `unknown` where the node does not know it. */
  fromVersion: str,
  /** Version of the application after; `unknown` where the node does not know it. */
  toVersion: str,
  /** Name of the migration method, in UTF-8, or null. */
  migration: option(bytes),
  /** When the upgrade began, in Unix seconds; 0 where a cascade made the row. */
  initiatedAt: seconds(u64),
  /** The signer's Ed25519 public key, 32 bytes. */
  initiatedBy: b32,
  /** Progress of the upgrade. */
  status: GroupUpgradeStatus,
} as const;

const afterCascade = {
  /** The `sequence` of NamespaceGovHead at that cascade, or null. */
  cascadeSeq: option(u64),
  /** Version of the application's state after the upgrade. */
  toStateVersion: u32,
} as const;

/** An upgrade of a group's application, with the cascade that it belongs to. From 57 bytes. */
export const GroupUpgradeValue = struct("GroupUpgradeValue", {
  ...beforeCascade,
  /** Timestamp of the cascade that brought it, or null. */
  cascadeHlc: option(HybridTimestamp),
  ...afterCascade,
});
export type GroupUpgradeValue = Decoded<typeof GroupUpgradeValue>;

/** An upgrade of a group's application in core-0.11. From 57 bytes. */
export const GroupUpgradeValue011 = struct("GroupUpgradeValue", {
  ...beforeCascade,
  /** Timestamp of the cascade that brought it, or null. */
  cascadeHlc: option(HybridTimestamp011),
  ...afterCascade,
});
export type GroupUpgradeValue011 = Decoded<typeof GroupUpgradeValue011>;

/** An upgrade of a group's application in core-0.10. From 51 bytes. */
export const GroupUpgradeValue010 = struct("GroupUpgradeValue", {
  /** Version of the application before. */
  fromVersion: str,
  /** Version of the application after. */
  toVersion: str,
  /** Name of the migration method, in UTF-8, or null. */
  migration: option(bytes),
  /** When the upgrade began, in Unix seconds. */
  initiatedAt: seconds(u64),
  /** The initiator's Ed25519 public key, 32 bytes. */
  initiatedBy: b32,
  /** Progress of the upgrade. */
  status: GroupUpgradeStatus,
});
export type GroupUpgradeValue010 = Decoded<typeof GroupUpgradeValue010>;

/** An upgrade of a group's application in the document: versions are numbers. From 66 bytes. */
export const GroupUpgradeValueDocumented = struct("GroupUpgradeValue", {
  /** Version of the application before. */
  fromVersion: u64,
  /** Version of the application after. */
  toVersion: u64,
  /** Name of the migration method, or null. */
  migration: option(str),
  /** When the upgrade began, in Unix seconds. */
  initiatedAt: seconds(u64),
  /** The initiator, 32 bytes. */
  initiatedBy: b32,
  /** Progress of the upgrade. */
  status: GroupUpgradeStatusDocumented,
});
export type GroupUpgradeValueDocumented = Decoded<typeof GroupUpgradeValueDocumented>;

/** The migration that a context ran last, in core-0.10 and in the document. From 4 bytes. */
export const GroupContextLastMigrationValue = struct("GroupContextLastMigrationValue", {
  /** Name of the method. */
  method: str,
});
export type GroupContextLastMigrationValue = Decoded<typeof GroupContextLastMigrationValue>;

/** A version of an application on the way of a group's upgrades. From 72 bytes. */
export const LadderRung = struct("LadderRung", {
  /** App key: blob id of the application's code, 32 bytes. */
  appKey: b32,
  /** The application's id, 32 bytes. */
  applicationId: b32,
  /** Name of the package. */
  package: str,
  /** Version of the package. */
  version: str,
});
export type LadderRung = Decoded<typeof LadderRung>;

/** A version of an application on the way of a group's upgrades, in core-0.11. 64 bytes. */
export const LadderRung011 = struct("LadderRung", {
  /** App key: blob id of the application's code, 32 bytes. */
  appKey: b32,
  /** The application's id, 32 bytes. */
  applicationId: b32,
});
export type LadderRung011 = Decoded<typeof LadderRung011>;

/** The versions that a group went through. From 4 bytes. */
export const UpgradeLadderValue = struct("UpgradeLadderValue", {
  /** The versions, oldest first. */
  rungs: vec(LadderRung),
});
export type UpgradeLadderValue = Decoded<typeof UpgradeLadderValue>;

/** The versions that a group went through, in core-0.11. From 4 bytes. */
export const UpgradeLadderValue011 = struct("UpgradeLadderValue", {
  /** The versions, oldest first. */
  rungs: vec(LadderRung011),
});
export type UpgradeLadderValue011 = Decoded<typeof UpgradeLadderValue011>;

/** Upgrade policies of a group; core-0.11 has none. */
import {
  type Codec,
  checked,
  type Decoded,
  type EnumOf,
  enumOf,
  names,
  option,
  struct,
  u32,
  u64,
} from "../codec/index.js";

/** A span of time: seconds and nanoseconds. 12 bytes. */
export const Duration = struct("Duration", {
  /** Whole seconds. */
  secs: u64,
  /** Nanoseconds beside them, less than 1000000000. */
  nanos: checked(u32, "less than 1000000000", (nanos) => nanos < 1_000_000_000),
});
export type Duration = Decoded<typeof Duration>;
const upgradePolicy = {
  /** Automatically. */
  Automatic: {},
  /** When a context is used next. The default. */
  LazyOnAccess: {},
  /** Together, within a time limit. */
  Coordinated: {
    /** The time limit, or null. */
    deadline: option(Duration),
  },
};

/** When contexts of a group take a new version of the application. 1, 2 or 14 bytes. */
export const UpgradePolicy: Codec<UpgradePolicy> = enumOf("UpgradePolicy", upgradePolicy);
export type UpgradePolicy = EnumOf<typeof upgradePolicy>;

/** When contexts of a group take a new version of the application, in the document. 1 byte. */
export const UpgradePolicyDocumented = names("UpgradePolicy", ["Auto", "Manual", "Frozen"]);
export type UpgradePolicyDocumented = Decoded<typeof UpgradePolicyDocumented>;

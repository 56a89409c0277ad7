/**
 * The measured types as classes of @dao-xyz/borsh. Its decorators are called as functions, like the compiled form of
 * `@field({ type })`, because this project does not enable legacy decorators.
 */
import { type FieldType, field, fixedArray, option, variant, vec } from "@dao-xyz/borsh";
import type { ContextDagDeltaValue010, ContextMetaValue, GroupMetaValue010 } from "../src/values/index.js";

const b32 = fixedArray("u8", 32);

class BorshTimestamp {
  declare time: bigint;
  declare id: bigint;

  constructor(value: object) {
    Object.assign(this, value);
  }
}
decorate(BorshTimestamp, { time: "u64", id: "u128" });

export class BorshDelta {
  declare hlc: BorshTimestamp;

  constructor(value: ContextDagDeltaValue010) {
    // The other library has no payloads; they are bytes.
    Object.assign(this, value, { actions: value.actions.bytes, hlc: new BorshTimestamp(value.hlc) });
  }
}
decorate(BorshDelta, {
  deltaId: b32,
  parents: vec(b32),
  actions: Uint8Array as unknown as FieldType,
  hlc: BorshTimestamp,
  applied: "bool",
  expectedRootHash: b32,
  events: option(Uint8Array as unknown as FieldType),
});

export class BorshMeta {
  constructor(value: ContextMetaValue) {
    Object.assign(this, value);
  }
}
decorate(BorshMeta, { application: b32, rootHash: b32, dagHeads: vec(b32), serviceName: option("string") });

class BorshDuration {
  constructor(value: object) {
    Object.assign(this, value);
  }
}
decorate(BorshDuration, { secs: "u64", nanos: "u32" });

abstract class BorshPolicy {}
class BorshAutomatic extends BorshPolicy {}
class BorshLazyOnAccess extends BorshPolicy {}
class BorshCoordinated extends BorshPolicy {
  declare deadline: BorshDuration | undefined;
}
variant(0)(BorshAutomatic);
variant(1)(BorshLazyOnAccess);
variant(2)(BorshCoordinated);
decorate(BorshCoordinated, { deadline: option(BorshDuration) });

export class BorshGroupMeta {
  constructor(value: GroupMetaValue010) {
    Object.assign(this, value, { upgradePolicy: policyOf(value.upgradePolicy) });
  }
}
decorate(BorshGroupMeta, {
  appKey: b32,
  targetApplicationId: b32,
  upgradePolicy: BorshPolicy,
  createdAt: "u64",
  adminIdentity: b32,
  migration: option(Uint8Array as unknown as FieldType),
  autoJoin: "bool",
});

function policyOf(policy: GroupMetaValue010["upgradePolicy"]): BorshPolicy {
  if (policy.kind === "Automatic") return new BorshAutomatic();
  if (policy.kind === "LazyOnAccess") return new BorshLazyOnAccess();
  const coordinated = new BorshCoordinated();
  if (policy.deadline !== null) coordinated.deadline = new BorshDuration(policy.deadline);
  return coordinated;
}

/** Declares the fields of a class in order. */
function decorate(of: { readonly prototype: object }, types: Readonly<Record<string, FieldType>>): void {
  for (const [name, type] of Object.entries(types)) field({ type })(of.prototype, name);
}

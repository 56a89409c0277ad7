/** An independent Borsh implementation writes and reads the same bytes as ours, on valid values. */
import {
  deserialize,
  field,
  fixedArray,
  vec as list,
  option as maybe,
  serialize,
  variant,
} from "@dao-xyz/borsh";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import * as values from "../../src/values/index.js";
import { randomNumbers, randomValue } from "../support/random-values.js";

type Constructor = new () => object;
type FieldType = Extract<Parameters<typeof field>[0], { type: unknown }>["type"];

/** A class as its decorators would make it, one field after another. */
function model(fields: Readonly<Record<string, FieldType>>, tag?: number): Constructor {
  class Model {}
  for (const [name, type] of Object.entries(fields)) field({ type })(Model.prototype, name);
  if (tag !== undefined) variant(tag)(Model);
  return Model;
}

const id = fixedArray("u8", 32) as FieldType;
const ids = list(id as never) as FieldType;
const bytes = Uint8Array as FieldType;

const Service = model({ name: "string", bytecode: id, compiled: id });
const models: readonly (readonly [string, Codec<unknown>, Constructor])[] = [
  [
    "ContextMeta",
    values.ContextMetaValue,
    model({ application: id, rootHash: id, dagHeads: ids, serviceName: maybe("string") }),
  ],
  ["ContextConfig", values.ContextConfigValue, model({ applicationRevision: "u64", membersRevision: "u64" })],
  [
    "ContextIdentity",
    values.ContextIdentityValue010,
    model({ privateKey: maybe(id as never), senderKey: maybe(id as never) }),
  ],
  ["BlobMeta", values.BlobMetaValue010, model({ size: "u64", hash: id, links: ids })],
  [
    "ApplicationMeta",
    values.ApplicationMetaValue010,
    model({
      bytecode: id,
      size: "u64",
      source: "string",
      metadata: bytes,
      compiled: id,
      package: "string",
      version: "string",
      signerId: "string",
      services: list(Service),
    }),
  ],
  ["GroupOpHead", values.GroupOpHeadValue, model({ sequence: "u64", dagHeads: ids })],
  [
    "GroupMember",
    values.GroupMemberValue010,
    model({ role: "u8", privateKey: maybe(id as never), senderKey: maybe(id as never) }),
  ],
  [
    "NamespaceIdentity",
    values.NamespaceIdentityValue,
    model({ publicKey: id, privateKey: id, senderKey: id }),
  ],
  ["NamespaceGovOp", values.NamespaceGovOpValue010, model({ skeletonBytes: bytes })],
  ["GroupKey", values.GroupKeyValue010, model({ groupKey: id, createdAt: "u64" })],
  ["GroupMemberCapability", values.GroupMemberCapabilityValue, model({ capabilities: "u32" })],
  [
    "GroupUpgradeValueDocumented",
    values.GroupUpgradeValueDocumented,
    model({
      fromVersion: "u64",
      toVersion: "u64",
      migration: maybe("string"),
      initiatedAt: "u64",
      initiatedBy: id,
      status: upgradeStatus(),
    }),
  ],
];

const withEnums: readonly (string | undefined)[] = ["GroupMemberValue", "GroupUpgradeValue"];

/** The other library represents an enum as a class with variants. */
function upgradeStatus(): FieldType {
  abstract class Status {}
  class InProgress extends Status {}
  for (const name of ["total", "completed", "failed"]) field({ type: "u64" })(InProgress.prototype, name);
  variant(0)(InProgress);
  class Completed extends Status {}
  field({ type: "u64" })(Completed.prototype, "completedAt");
  variant(1)(Completed);
  return Status as FieldType;
}

describe("@dao-xyz/borsh agrees on", () => {
  it.each(models)("%s", (_, codec, Model) => {
    const random = randomNumbers(7);
    for (let count = 0; count < 50; count++) {
      const ours = codec.encode(randomValue(codec, random));
      const theirs = deserialize(ours, Model);
      expect(toHex(serialize(theirs))).toBe(toHex(ours));
      // We write the object of the other library: it has the same fields, except for enums, which are classes there.
      if (!withEnums.includes(codec.type)) expect(toHex(codec.encode(plain(theirs)))).toBe(toHex(ours));
    }
  });
});

/** Objects of the other library in our form: plain, with null for undefined. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.length === 32 && typeof value[0] === "number" ? Uint8Array.from(value) : value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

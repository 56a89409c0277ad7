/** The vectors of State of core-1.0, and their values in the form that decoders of the project give. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../../src/bytes/hex.js";
import type { EntityIndex } from "../../src/layouts/index.js";
import type { CrdtType, Metadata, StorageType } from "../../src/payloads/index.js";
import { fixturePath } from "../support/fixtures.js";

/** A line of a file of vectors. */
export interface Vector {
  readonly type: string;
  readonly valid: boolean;
  readonly bytes: string;
  readonly decoded: never;
  readonly reason?: string;
  readonly assumes?: readonly string[];
  readonly id: string;
  readonly [more: string]: unknown;
}

function linesOf(text: string): readonly Vector[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Vector);
}

/** The lines that two other programs made. */
export const lines = linesOf(
  gunzipSync(readFileSync(fixturePath("core-1.0", "state-vectors.jsonl.gz"))).toString("utf8"),
);

/** The lines that upstream's own tests state. */
export const upstream = linesOf(
  readFileSync(fixturePath("core-1.0", "state-upstream-vectors.jsonl"), "utf8"),
);

/** The lines of a type, valid or not. There must be some. */
export function ofType(type: string, valid: boolean, from: readonly Vector[] = lines): readonly Vector[] {
  const found = from.filter((line) => line.type === type && line.valid === valid);
  if (found.length === 0) throw new Error(`no lines of type ${type}`);
  return found;
}

interface RawSignature {
  readonly signature: string;
  readonly nonce: string | number;
  readonly signer: string | null;
  readonly on_behalf: string | null;
}

interface RawStorage {
  readonly kind: StorageType["kind"];
  readonly owner: string;
  readonly anchor: string;
  readonly writers: readonly (readonly [string, number])[];
  readonly signature: RawSignature | null;
  readonly rules: { readonly immutable: boolean; readonly moderators: string | null };
}

interface RawCrdt {
  readonly name: Exclude<CrdtType["kind"], never>;
  readonly kind?: number;
  readonly id?: string | number;
}

/** The metadata of a line. */
export interface RawMetadata {
  readonly created_at: string | number;
  readonly updated_at: string | number;
  readonly storage_type: RawStorage;
  readonly crdt_type: RawCrdt | null;
  readonly field_name: string | null;
  readonly schema_version: number | null;
  readonly order: string | number;
}

/** The index record of a line. */
export interface RawIndex {
  readonly id: string;
  readonly parent: string | null;
  readonly own_hash: string;
  readonly full_hash: string;
  readonly metadata: RawMetadata;
  readonly deleted_at: string | number | null;
  readonly deleted_children: readonly string[];
}

const idOrNull = (text: string | null): Uint8Array | null => (text === null ? null : fromHex(text));

/** The storage type of an entity: its writers. */
export function storageType(raw: RawStorage): StorageType {
  const signatureData =
    raw.signature === null || raw.signature === undefined
      ? null
      : {
          signature: fromHex(raw.signature.signature),
          nonce: BigInt(raw.signature.nonce),
          signer: idOrNull(raw.signature.signer),
          onBehalf: idOrNull(raw.signature.on_behalf),
        };
  switch (raw.kind) {
    case "User": {
      const { immutable, moderators } = raw.rules;
      const rules = { immutable, moderators: idOrNull(moderators) };
      return { kind: raw.kind, owner: fromHex(raw.owner), signatureData, rules };
    }
    case "Shared":
      return { kind: raw.kind, writers: new Map(raw.writers), signatureData };
    case "SharedMember":
      return { kind: raw.kind, anchor: fromHex(raw.anchor), signatureData };
    default:
      return { kind: raw.kind };
  }
}

/** The CRDT type of an entity: the rule by which its changes merge. */
export function crdtType({ name, kind, id }: RawCrdt): CrdtType {
  if (name === "LwwRegister")
    return { kind: name, content: (["Value", "Opaque", "JsRoot"] as const)[kind ?? 0] as "Value" };
  if (name === "Custom") return { kind: name, typeId: BigInt(id ?? 0) };
  return { kind: name };
}

/** Times, owner and kind of an entity. */
export function metadata(raw: RawMetadata): Metadata {
  return {
    createdAt: BigInt(raw.created_at),
    updatedAt: BigInt(raw.updated_at),
    storageType: storageType(raw.storage_type),
    crdtType: raw.crdt_type === null ? null : crdtType(raw.crdt_type),
    fieldName: raw.field_name,
    schemaVersion: raw.schema_version,
    order: BigInt(raw.order),
  };
}

/** An index record. */
export function entityIndex(raw: RawIndex): EntityIndex {
  return {
    id: fromHex(raw.id),
    parentId: idOrNull(raw.parent),
    ownHash: fromHex(raw.own_hash),
    fullHash: fromHex(raw.full_hash),
    metadata: metadata(raw.metadata),
    deletedAt: raw.deleted_at === null ? null : BigInt(raw.deleted_at),
    deletedChildren: raw.deleted_children.map(fromHex),
  };
}

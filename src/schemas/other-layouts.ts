/** Layouts of versions between the revisions. They are recognised and named, so that they do not look like damage. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Codec,
  option,
  ReadFailure,
  str,
  struct,
  u8,
  u64,
  vec,
} from "../codec/index.js";
import { HybridTimestamp010 } from "../payloads/index.js";
import { ApplicationMetaValue010, ServiceMeta } from "../values/index.js";

export interface OtherLayout {
  /** The layout and the versions that wrote it. */
  readonly name: string;
  readonly column: string;
  /** First byte of the key, in Group. */
  readonly prefix?: number;
  /** Bytes of the key. */
  readonly keySize: number;
  readonly codec: Codec<unknown>;
}

export const otherLayouts: readonly OtherLayout[] = [
  {
    name: "delta with author and expected root hash, 0.10.1-rc.43 to 0.11.0-rc.24",
    column: "Delta",
    keySize: 64,
    codec: struct("ContextDagDelta", {
      deltaId: b32,
      parents: vec(b32),
      actions: bytes,
      hlc: HybridTimestamp010,
      applied: bool,
      expectedRootHash: b32,
      events: option(bytes),
      authorId: option(b32),
      governancePositionBlob: option(bytes),
      deltaSignature: option(b64),
    }),
  },
  {
    name: "application without services, up to 0.10.1-rc.17",
    column: "Application",
    keySize: 32,
    codec: struct("ApplicationMeta", {
      bytecode: b32,
      size: u64,
      source: str,
      metadata: bytes,
      compiled: b32,
      package: str,
      version: str,
      signerId: str,
    }),
  },
  {
    name: "visibility of a context, 0.10.1-rc.7 to rc.17",
    column: "Group",
    prefix: 0x27,
    keySize: 65,
    codec: struct("GroupContextVisibility", { mode: u8, creator: b32 }),
  },
  { name: "context alias, 0.10.1-rc.7 and rc.8", column: "Group", prefix: 0x2c, keySize: 65, codec: str },
  {
    name: "account of a signing key in the value, before 0.11.0-rc.79",
    column: "Group",
    prefix: 0x56,
    keySize: 65,
    codec: b32,
  },
  {
    name: "nonces of warrants by account and device, of a version between 0.11.0-rc.26 and 1.0.0-rc.8",
    column: "ContextWarrantNonce",
    keySize: 96,
    codec: struct("ContextWarrantNonce", { highWater: u64, window: u64 }),
  },
  {
    name: "changed entities without the root hashes, before 0.11.0-rc.79",
    column: "SearchDirty",
    keySize: 40,
    codec: vec(b32),
  },
];

/**
 * A context whose `application` follows the document's comment, "app_id + version + services", or is a whole row of
 * Application.
 */
const contextsWithApplication: readonly Codec<unknown>[] = [
  ApplicationMetaValue010,
  struct("ApplicationMeta", { appId: b32, version: str, services: vec(ServiceMeta) }),
].map((application) => struct("ContextMeta", { application, rootHash: b32, dagHeads: vec(b32) }));

/**
 * Returns the document's name for a row without a layout there: the "schema version" and "node id" of Meta, the "node
 * configuration" of Config, and a context that embeds its application.
 */
export function namedInDocument(column: string, key: Uint8Array, value: Uint8Array): string | undefined {
  if (column !== "Meta" && column !== "Config") return undefined;
  if (key.length !== 32)
    return column === "Meta"
      ? "the document's schema version or node id, which it does not lay out"
      : "the document's node configuration, which it does not lay out";
  if (column === "Meta" && contextsWithApplication.some((codec) => decodes(codec, value)))
    return "the document's contexts that embed their application, in one of its possible layouts";
  return undefined;
}

/** Returns the layout of a row; undefined if it has none of these. */
export function otherLayoutOf(column: string, key: Uint8Array, value: Uint8Array): OtherLayout | undefined {
  return otherLayouts.find((layout) => {
    if (layout.column !== column || layout.keySize !== key.length) return false;
    if (layout.prefix !== undefined && layout.prefix !== key[0]) return false;
    return decodes(layout.codec, value);
  });
}

function decodes(codec: Codec<unknown>, value: Uint8Array): boolean {
  return !(codec.readWhole(value) instanceof ReadFailure);
}

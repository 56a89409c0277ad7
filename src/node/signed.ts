/** Signed things outside of a database: invitations and operations, recognised by their layout and their signature. */
import { fromBase58 } from "../bytes/base58.js";
import { isByteArray } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { type Codec, EncodeError, type Json, ReadFailure } from "../codec/index.js";
import { verify } from "../crypto/index.js";
import {
  groupOpId,
  groupOpId010,
  groupOpId011,
  groupOpSigningBytes,
  groupOpSigningBytes010,
  groupOpSigningBytes011,
  invitationDigest,
  invitationDigest010,
  invitationDigest011,
  namespaceOpId,
  namespaceOpId010,
  namespaceOpId011,
  namespaceOpSigningBytes,
  namespaceOpSigningBytes010,
  namespaceOpSigningBytes011,
} from "../digests/index.js";
import { checkArgument } from "../options.js";
import {
  type OperationRevision,
  SignedGroupOp,
  SignedGroupOp010,
  SignedGroupOp011,
  SignedGroupOpenInvitation,
  SignedGroupOpenInvitation010,
  SignedGroupOpenInvitation011,
  SignedNamespaceOp,
  SignedNamespaceOp010,
  SignedNamespaceOp011,
} from "../payloads/index.js";
import type { AnySignedGroupOp, AnySignedNamespaceOp } from "./history/stored.js";
import type { Named, ThingKind } from "./names.js";
import { type AnyGroupOp, groupSentence } from "./sentences/group.js";
import { type AnyRootOp, invitedRoleName, rootSentence } from "./sentences/root.js";
import { type Sentence, type Speaker, say } from "./sentences/sentence.js";

/** Something that a member signed. Ids and keys are hex digits. */
export interface SignedThing {
  /** The kind of thing. */
  readonly what: "invitation" | "namespace operation" | "group operation";
  /** The revisions in which the bytes are of this kind, the newest first. */
  readonly revisions: readonly OperationRevision[];
  /** The Ed25519 public key that signed it, 64 hex digits. */
  readonly signer: string;
  /** True if the signature is the signer's. */
  readonly isSigned: boolean;
  /** Its effect, in words. Names of things are not known. */
  readonly sentence: Sentence;
  /** The id of an operation, 64 hex digits; undefined for an invitation. */
  readonly id: string | undefined;
  /** When an invitation expires, in milliseconds since 1970; undefined if it does not, and for an operation. */
  readonly expires: number | undefined;
  /** All fields. */
  readonly fields: Json;
}

/** A layout, and the facts that are computed from a value in it. */
interface Layout {
  readonly what: SignedThing["what"];
  readonly revision: OperationRevision;
  readonly codec: Codec<unknown>;
  readonly read: (value: never) => Facts;
}

interface Facts {
  readonly signer: Uint8Array;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly sentence: Sentence;
  readonly id?: Uint8Array;
  readonly expires?: bigint;
}

const LAYOUTS: readonly Layout[] = [
  invitation("core-1.0", SignedGroupOpenInvitation, invitationDigest),
  invitation("core-0.11", SignedGroupOpenInvitation011, invitationDigest011),
  invitation("core-0.10", SignedGroupOpenInvitation010, invitationDigest010),
  namespaceOperation("core-1.0", SignedNamespaceOp, namespaceOpSigningBytes, namespaceOpId),
  namespaceOperation("core-0.11", SignedNamespaceOp011, namespaceOpSigningBytes011, namespaceOpId011),
  namespaceOperation("core-0.10", SignedNamespaceOp010, namespaceOpSigningBytes010, namespaceOpId010),
  groupOperation("core-1.0", SignedGroupOp, groupOpSigningBytes, groupOpId),
  groupOperation("core-0.11", SignedGroupOp011, groupOpSigningBytes011, groupOpId011),
  groupOperation("core-0.10", SignedGroupOp010, groupOpSigningBytes010, groupOpId010),
];

type AnyInvitation = SignedGroupOpenInvitation | SignedGroupOpenInvitation011 | SignedGroupOpenInvitation010;

function invitation<T extends AnyInvitation>(
  revision: OperationRevision,
  codec: Codec<T>,
  digestOf: (invitation: T["invitation"]) => Uint8Array,
): Layout {
  const read = ({ invitation, inviterSignature }: T): Facts => {
    const { inviterIdentity: signer, groupId, invitedRole, expirationTimestamp: expires } = invitation;
    const isHex = /^[0-9a-f]{128}$/i.test(inviterSignature);
    const signature = isHex ? fromHex(inviterSignature) : new Uint8Array(64);
    const role = invitedRoleName(invitedRole);
    const sentence = say`${thing("key", signer)} invites into ${thing("group", groupId)} as ${role}`;
    return { signer, signature, message: digestOf(invitation), sentence, ...(expires > 0n && { expires }) };
  };
  return { what: "invitation", revision, codec, read };
}

function namespaceOperation<T extends AnySignedNamespaceOp>(
  revision: OperationRevision,
  codec: Codec<T>,
  messageOf: (value: T) => Uint8Array,
  idOf: (value: T) => Uint8Array,
): Layout {
  const read = (value: T): Facts => {
    const { namespaceId, signer, signature, op }: AnySignedNamespaceOp = value;
    const by = speaker(signer, thing("namespace", namespaceId), revision);
    const sentence =
      op.kind === "Root"
        ? rootSentence(op.value as AnyRootOp, by)
        : say`${by.actor} signed an operation on ${"groupId" in op ? by.groupOf(op.groupId) : by.group}, encrypted with key ${thing("group key", op.keyId)}`;
    return { signer, signature, message: messageOf(value), id: idOf(value), sentence };
  };
  return { what: "namespace operation", revision, codec, read };
}

function groupOperation<T extends AnySignedGroupOp>(
  revision: OperationRevision,
  codec: Codec<T>,
  messageOf: (value: T) => Uint8Array,
  idOf: (value: T) => Uint8Array,
): Layout {
  const read = (value: T): Facts => {
    const { groupId, signer, signature, op }: AnySignedGroupOp = value;
    const sentence = groupSentence(op as AnyGroupOp, speaker(signer, thing("group", groupId), revision));
    return { signer, signature, message: messageOf(value), id: idOf(value), sentence };
  };
  return { what: "group operation", revision, codec, read };
}

function thing(kind: ThingKind, id: Uint8Array): Named {
  return { kind, id: toHex(id), name: undefined };
}

function speaker(signer: Uint8Array, group: Named, revision: OperationRevision): Speaker {
  const of = (kind: ThingKind) => (id: Uint8Array) => thing(kind, id);
  return {
    actor: thing("key", signer),
    group,
    accounts: revision !== "core-0.10",
    groupOf: of("group"),
    contextOf: of("context"),
    memberOf: of("member"),
    signerOf: of("key"),
    applicationOf: of("application"),
    deviceOf: of("device"),
    ownerOf: of("device"),
    blobOf: of("blob"),
  };
}

/**
 * Decodes an invitation or an operation in Borsh, or the value of a log's row; undefined if the bytes are neither. If
 * several layouts fit, the one with a right signature counts.
 */
export function signedThing(bytes: Uint8Array): SignedThing | undefined {
  checkArgument("signedThing", bytes, isByteArray);
  const found = LAYOUTS.flatMap((layout) =>
    partsOf(bytes).flatMap((part) => {
      const value = layout.codec.readWhole(part);
      if (value instanceof ReadFailure) return [];
      const thing = thingOf(layout, value);
      return thing.isSigned || part.length === bytes.length ? [thing] : [];
    }),
  );
  return newest(found);
}

/** The newest reading of the bytes, if possible with a right signature, and all revisions with this reading. */
function newest(found: readonly SignedThing[]): SignedThing | undefined {
  const first = found.find(({ isSigned }) => isSigned) ?? found[0];
  if (first === undefined) return undefined;
  const same = found.filter(({ what, isSigned }) => what === first.what && isSigned === first.isSigned);
  return { ...first, revisions: [...new Set(same.flatMap(({ revisions }) => revisions))] };
}

/** The bytes, and the bytes after the prefixes of an operation in a log's row: a tag, a length, or both. */
function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  return [0, 1, 4, 5].flatMap((start) => (start < bytes.length ? bytes.subarray(start) : []));
}

/** The invitation in JSON, as nodes give it; undefined if the JSON is no invitation. */
export function invitationInJson(json: Json): SignedThing | undefined {
  const fields = withPlainNames(json);
  const found: SignedThing[] = [];
  for (const layout of LAYOUTS.filter(({ what }) => what === "invitation")) {
    try {
      found.push(thingOf(layout, layout.codec.fromJson(withAbsent(fields, layout.revision))));
    } catch (error) {
      if (!(error instanceof EncodeError)) throw error;
    }
  }
  return newest(found);
}

function thingOf({ what, revision, codec, read }: Layout, value: unknown): SignedThing {
  const { signer, signature, message, sentence, id, expires } = read(value as never);
  return {
    what,
    revisions: [revision],
    signer: toHex(signer),
    isSigned: verify(signer, message, signature, { strict: revision !== "core-0.10" }),
    sentence,
    id: id && toHex(id),
    expires: expires === undefined ? undefined : Number(expires) * 1000,
    fields: codec.toJson(value),
  };
}

/** The deepest nesting of an invitation that is looked into. */
const DEEPEST = 16;

/** Fields in camelCase, ids of 32 bytes as hex digits. Nodes write ids as lists of numbers or in base58. */
function withPlainNames(json: Json, depth = 0): Json {
  if (typeof json === "string") {
    if (json.length < 32 || json.length > 44) return json;
    try {
      const id = fromBase58(json);
      return id.length === 32 ? toHex(id) : json;
    } catch {
      return json;
    }
  }
  if (json === null || typeof json !== "object" || depth > DEEPEST) return json;
  if (Array.isArray(json)) {
    const isId =
      json.length === 32 && json.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
    return isId
      ? toHex(Uint8Array.from(json as number[]))
      : json.map((item) => withPlainNames(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      withPlainNames(value as Json, depth + 1),
    ]),
  );
}

/** Adds the hints that the JSON leaves out, as null, and turns a 64-bit number into a string. */
function withAbsent(json: Json, revision: OperationRevision): Json {
  if (json === null || typeof json !== "object" || Array.isArray(json)) return json;
  const fields = json as { readonly [name: string]: Json };
  const { invitation } = fields;
  if (invitation === null || typeof invitation !== "object" || Array.isArray(invitation)) return json;
  const { expirationTimestamp, ...others } = invitation as { readonly [name: string]: Json };
  const expires = typeof expirationTimestamp === "number" ? String(expirationTimestamp) : expirationTimestamp;
  const signed = { ...others, ...(expires !== undefined && { expirationTimestamp: expires }) };
  const hints = { inviterAccount: null, applicationId: null, appKey: null };
  const absent =
    revision === "core-0.10" ? {} : revision === "core-0.11" ? hints : { ...hints, admitterAddrs: [] };
  return { ...absent, ...fields, invitation: signed };
}

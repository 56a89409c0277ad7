/** Operations without a signature around them, as decryption returns them, in any layout. */
import { type Codec, DecodeError, EncodeError, type Json } from "../codec/index.js";
import { GroupOp, GroupOpEarlier, GroupOpEarlier24 } from "./group-operation.js";
import { GroupOp011 } from "./group-operation-011.js";
import { RootOp, RootOpWithoutQuote, RootOpWithoutSalt } from "./namespace-operation.js";
import { RootOp011 } from "./namespace-operation-011.js";

/** The part of a codec that reads and writes operations and shows them. */
export interface ReadableOperation<T> {
  /** The operation. @throws DecodeError if the bytes are of none of the layouts */
  decode(bytes: Uint8Array): T;
  /** The operation in Borsh, in the first layout that has its fields. @throws EncodeError */
  encode(operation: T): Uint8Array;
  /** The JSON form of an operation. @throws EncodeError */
  toJson(operation: T): Json;
}

/**
 * Reads an operation in the first of several layouts that decodes all bytes to a likely value, or else in the first
 * that decodes them.
 */
function firstOf<T>(
  codecs: readonly [Codec<unknown>, ...Codec<unknown>[]],
  isLikely: (operation: T) => boolean = () => true,
): ReadableOperation<T> {
  return {
    decode(bytes) {
      let first: { readonly operation: T } | undefined;
      let failure: unknown;
      for (const codec of codecs) {
        try {
          const operation = codec.decode(bytes) as T;
          if (isLikely(operation)) return operation;
          first ??= { operation };
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          failure ??= error;
        }
      }
      if (first === undefined) throw failure;
      return first.operation;
    },
    encode: (operation) => encodedBy(codecs, operation).bytes,
    toJson: (operation) => encodedBy(codecs, operation).codec.toJson(operation),
  };
}

/** The first codec that encodes an operation, and its bytes. */
function encodedBy(
  codecs: readonly Codec<unknown>[],
  operation: unknown,
): { readonly codec: Codec<unknown>; readonly bytes: Uint8Array } {
  let failure: unknown;
  for (const codec of codecs)
    try {
      return { codec, bytes: codec.encode(operation) };
    } catch (error) {
      if (!(error instanceof EncodeError)) throw error;
      failure ??= error;
    }
  throw failure;
}

/** An operation on a group, of core-0.11 or later. */
export type AnyGroupOp = GroupOp | GroupOpEarlier | GroupOp011;

/**
 * Returns whether an upgrade names a release. An upgrade of core-0.11 whose clock has a small id decodes like an
 * upgrade of today without a release.
 */
function namesRelease(op: AnyGroupOp): boolean {
  return !(op.kind === "CascadeUpgrade" && "packageName" in op && op.packageName === "" && op.version === "");
}

/** Operations on groups in the layouts that nodes of core-1.0 meet. */
export const readableGroupOp: ReadableOperation<AnyGroupOp> = firstOf(
  [GroupOp, GroupOpEarlier, GroupOpEarlier24, GroupOp011] as readonly [Codec<unknown>, ...Codec<unknown>[]],
  namesRelease,
);

/** Operations on namespaces in the layouts that nodes of core-1.0 meet. */
export const readableRootOp: ReadableOperation<RootOp | RootOpWithoutQuote | RootOpWithoutSalt | RootOp011> =
  firstOf([RootOp, RootOpWithoutQuote, RootOpWithoutSalt, RootOp011] as readonly [
    Codec<unknown>,
    ...Codec<unknown>[],
  ]);

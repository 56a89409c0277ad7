/** Splits content and keeps the result. */
import { toHex } from "merostore/internal";
import {
  inlineContent,
  isInline,
  type ObjectIdentifier,
  type ObjectType,
  pieceType,
} from "../../src/objects.js";
import { type Piece, type SplitOptions, Splitter } from "../../src/pieces/splitter.js";
import { decodeFileIndex } from "../../src/tables/file-index.js";
import { KEY_INDEX } from "../inputs.js";

export type Variant = Pick<SplitOptions, "rollingHash" | "permutation">;

/** A split object, with counts of its pieces. */
export interface SplitObject {
  readonly root: ObjectIdentifier;
  readonly pieces: readonly Piece[];
  /** Sizes of the chunks of the content, in its order. */
  readonly chunks: readonly number[];
  /** The number of indexes; a repeated index counts in each place. */
  readonly indexes: number;
  /** For each index: the sizes that it states, and the sizes of its children. */
  readonly sizes: readonly (readonly [bigint, bigint])[];
  readonly content: Uint8Array;
}

/** Feeds `step` bytes at a time; all at once without it. */
export function splitObject(
  content: Uint8Array,
  variant: Variant = { rollingHash: "V1" },
  type: ObjectType = "blob",
  step = Math.max(1, content.length),
): SplitObject {
  const pieces: Piece[] = [];
  const splitter = new Splitter(type, { ...variant, keyIndex: KEY_INDEX }, (piece) => pieces.push(piece));
  for (let at = 0; at < content.length; at += step) splitter.update(content.subarray(at, at + step));
  const root = splitter.finish();
  return { root, pieces, ...walk(root, pieces) };
}

/** The names of all pieces in the order of their making: equal for equal pieces. */
export function pieceNames({ pieces }: SplitObject): string[] {
  return pieces.map(({ identifier }) => toHex(identifier.digest));
}

function walk(root: ObjectIdentifier, pieces: readonly Piece[]): Omit<SplitObject, "root" | "pieces"> {
  const stored = new Map(pieces.map((piece) => [toHex(piece.identifier.digest), piece.content]));
  const chunks: Uint8Array[] = [];
  const sizes: [bigint, bigint][] = [];
  const visit = ({ digest }: ObjectIdentifier): bigint => {
    const content = isInline(digest) ? inlineContent(digest) : stored.get(toHex(digest));
    if (content === undefined) throw new Error(`the piece ${toHex(digest)} was not given`);
    if (pieceType(digest) === "chunk") {
      chunks.push(content);
      return BigInt(content.length);
    }
    const index = decodeFileIndex(content);
    let held = 0n;
    for (const child of index.children) {
      const size = visit(child.identifier);
      if (size !== child.size) throw new Error(`${size} bytes where the index says ${child.size}`);
      held += size;
    }
    sizes.push([index.size, held]);
    return held;
  };
  visit(root);
  return {
    chunks: chunks.map(({ length }) => length),
    indexes: sizes.length,
    sizes,
    content: Buffer.concat(chunks),
  };
}

/**
 * Codecs: Borsh exactly as borsh-rs 1.x reads and writes it, built from small combinators, with a JSON form.
 *
 * @example
 * import { struct, u64, vec, b32 } from "merostore/codec";
 * const Head = struct("Head", { sequence: u64, heads: vec(b32) });
 * Head.decode(Head.encode({ sequence: 7n, heads: [] })); // { sequence: 7n, heads: [] }
 */
export { bool } from "./bool.js";
export { b12, b32, b64, bytes, fixedBytes } from "./bytes.js";
export { Codec, type Decoded, type Size } from "./codec.js";
export { type EnumOf, enumOf, names } from "./enums.js";
export { DecodeError, describe, EncodeError, ReadFailure, WriteFailure } from "./errors.js";
export { f32, f64 } from "./floats.js";
export { identity, unit } from "./identity.js";
export { i8, i16, i32, i64, i128, u8, u16, u32, u64, u64BigEndian, u128 } from "./integers.js";
export type { Json, JsonOptions, Meaning } from "./json.js";
export { JsonText } from "./json-text.js";
export { map } from "./map.js";
export { byteCount, milliseconds, nanoseconds, ntp64, seconds, textual } from "./meaning.js";
export { option } from "./option.js";
export { Payload, payload } from "./payload.js";
export { type ReadableType, Reader, type Trace } from "./reader.js";
export { recursive } from "./recursive.js";
export { type Result, result } from "./result.js";
export { set } from "./set.js";
export { type Fields, type Plain, type StructOf, struct } from "./struct.js";
export { str } from "./text.js";
export { type TupleOf, tuple } from "./tuple.js";
export { type Layouts, Untagged, type UntaggedOf, untagged } from "./untagged.js";
export { array, vec } from "./vec.js";
export { type Alternative, checked, lenient, named, secret } from "./wrap.js";
export { Writer } from "./writer.js";

// Biome merges the exports of a file, so the internal ones stand apart.

/** @internal */
export type { Shape, ShapeFields } from "./codec.js";
/** @internal */
export { payloadsIn } from "./payload.js";
/** @internal */
export { DEEPEST_NESTING, Nesting } from "./recursive.js";
/** @internal */
export { cutVarint, varint, varintBytes } from "./varint.js";
/** @internal */
export { TOO_MANY } from "./vec.js";
/** @internal */
export { Recoded } from "./wrap.js";

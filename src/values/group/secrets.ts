import type { Reader, Writer } from "../../codec/index.js";
import { b32, Codec, type Decoded, type Json, type Size, secret, struct, u64 } from "../../codec/index.js";

/** An Ed25519 seed. 32 bytes. */
export const GroupSigningKeyValue = struct("GroupSigningKeyValue", { privateKey: secret(b32) });
export type GroupSigningKeyValue = Decoded<typeof GroupSigningKeyValue>;

/** A group's AES-256 key and when it was made (Unix seconds). 40 bytes. */
export const GroupKeyValue010 = struct("GroupKeyValue", { groupKey: secret(b32), createdAt: u64 });
export type GroupKeyValue010 = Decoded<typeof GroupKeyValue010>;

/** A u64 that older rows end before: then it is 0. It is always written. */
class TrailingU64 extends Codec<bigint> {
  readonly signature = "u64";
  readonly size: Size = { min: 0, max: 8 };

  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): bigint {
    return reader.left === 0 ? 0n : u64.read(reader);
  }

  write(writer: Writer, value: bigint): void {
    u64.write(writer, value);
  }

  show(value: bigint): Json {
    return u64.show(value);
  }

  parse(json: Json): bigint {
    return u64.parse(json);
  }
}

const trailingU64 = new TrailingU64();

/**
 * A group's AES-256 key in core-0.11. 40, 48 or 56 bytes: it is written as 56, and the shorter rows of older nodes
 * are read too, and are not canonical.
 */
export const GroupKeyValue = struct("GroupKeyValue", {
  groupKey: secret(b32),
  createdAt: u64,
  epoch: trailingU64,
  insertionSeq: trailingU64,
});
export type GroupKeyValue = Decoded<typeof GroupKeyValue>;

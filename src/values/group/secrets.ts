/** Secrets of this node and of groups. */
import type { Reader, Writer } from "../../codec/index.js";
import { b32, type Decoded, Recoded, seconds, secret, struct, u64 } from "../../codec/index.js";

/** A u64 that older rows lack. Without it, the value is 0. It is always written. */
class TrailingU64 extends Recoded<bigint> {
  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): bigint {
    return reader.left === 0 ? 0n : u64.read(reader);
  }

  write(writer: Writer, value: bigint): void {
    u64.write(writer, value);
  }
}

const trailingU64 = new TrailingU64(u64, { min: 0, max: 8 });

/** A group's key. 40, 48 or 56 bytes: it is written as 56; the shorter rows of older nodes are not canonical. */
export const GroupKeyValue = struct("GroupKeyValue", {
  /** Secret: AES-256 key, 32 bytes. */
  groupKey: secret(b32),
  /** When this node made or got the key, in Unix seconds. */
  createdAt: seconds(u64),
  /** The namespace's number of operations when the key was changed; 0 for a key that came in another way. */
  epoch: trailingU64,
  /** Orders keys of epoch 0: the greatest is current. */
  insertionSeq: trailingU64,
});
export type GroupKeyValue = Decoded<typeof GroupKeyValue>;

/** A group's key in core-0.10. 40 bytes. */
export const GroupKeyValue010 = struct("GroupKeyValue", {
  /** Secret: AES-256 key, 32 bytes. */
  groupKey: secret(b32),
  /** When this node made or got the key, in Unix seconds; the greatest is current. */
  createdAt: seconds(u64),
});
export type GroupKeyValue010 = Decoded<typeof GroupKeyValue010>;

/** A signing key of this node for a group, in core-0.10 and in the document. 32 bytes. */
export const GroupSigningKeyValue = struct("GroupSigningKeyValue", {
  /** Secret: Ed25519 seed, 32 bytes. */
  privateKey: secret(b32),
});
export type GroupSigningKeyValue = Decoded<typeof GroupSigningKeyValue>;

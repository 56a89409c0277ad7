/**
 * The messages to a thread and back: one array each way, whose buffer is transferred. A view of a row is copied into
 * it, because its buffer contains a whole block of rows.
 */
import type { Signed } from "../work.js";

/** A question to a thread, and its answer. */
export interface Task {
  readonly id: number;
  readonly kind: "sha256" | "verify";
  readonly input: Uint8Array;
}

export interface Answer {
  readonly id: number;
  readonly output: Uint8Array;
}

const LENGTH = 4;

/** Packs the messages, each after its length (4 bytes, big-endian). */
export function packMessages(messages: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = messages.reduce((sum, { length }) => sum + LENGTH + length, 0);
  const packed = new Uint8Array(size);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const message of messages) {
    view.setUint32(at, message.length);
    packed.set(message, at + LENGTH);
    at += LENGTH + message.length;
  }
  return packed;
}

export function unpackMessages(packed: Uint8Array): Uint8Array[] {
  const view = new DataView(packed.buffer, packed.byteOffset);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < packed.length; ) {
    const end = at + LENGTH + view.getUint32(at);
    messages.push(packed.subarray(at + LENGTH, end));
    at = end;
  }
  return messages;
}

/** Packs each signature as four messages: public key, signature, strictness (1 byte), signed bytes. */
export function packSigned(signed: readonly Signed[]): Uint8Array<ArrayBuffer> {
  return packMessages(
    signed.flatMap(({ publicKey, signature, strict, message }) => [
      publicKey,
      signature,
      Uint8Array.of(strict ? 1 : 0),
      message,
    ]),
  );
}

export function unpackSigned(packed: Uint8Array): Signed[] {
  const parts = unpackMessages(packed);
  const signed: Signed[] = [];
  for (let at = 0; at + 4 <= parts.length; at += 4) {
    const [publicKey, signature, strict, message] = parts.slice(at, at + 4) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    signed.push({ publicKey, signature, strict: strict[0] === 1, message });
  }
  return signed;
}

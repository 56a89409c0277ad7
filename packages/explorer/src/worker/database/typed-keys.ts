/** Master keys that a person typed. They stay in the memory of workers, and leave it only for another worker. */
import { masterKeyFromHex } from "merostore/engine";

/** Reads a key from hex digits, which are overwritten. @throws MerostoreError `INVALID_ARGUMENT` */
export function keyFromDigits(digits: Uint8Array): Uint8Array {
  try {
    return masterKeyFromHex(digits, "the field");
  } finally {
    digits.fill(0);
  }
}

/** Sends a key to the worker that has the other end of a channel; undefined if absent. */
export function lendKey(key: Uint8Array | undefined, port: MessagePort): void {
  port.postMessage(key);
  port.close();
}

/** The key that another worker lends. */
export function borrowKey(port: MessagePort): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      resolve(data instanceof Uint8Array ? data : undefined);
      port.close();
    };
  });
}

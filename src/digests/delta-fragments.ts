/** Fragments of the rows of Generic about a delta, since core-1.0: a row is found by its delta, not the reverse. 32 bytes. */
import { domainDigest } from "./domain-digest.js";

/** The fragment in the scope `calimero-deltevh`: D(`calimero.delta.events-hash`, context, delta). */
export function eventsFragment(contextId: Uint8Array, deltaId: Uint8Array): Uint8Array {
  return domainDigest("calimero.delta.events-hash", contextId, deltaId);
}

/** The fragment in the scope `calimero-teedelt`: D(`calimero.tee-trigger.delta`, context, delta). */
export function triggerFragment(contextId: Uint8Array, deltaId: Uint8Array): Uint8Array {
  return domainDigest("calimero.tee-trigger.delta", contextId, deltaId);
}

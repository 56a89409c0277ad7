/** Single letters as keys. */
import { signal } from "@preact/signals";

/** True if single-letter keys are used. For people who dictate, every word would be keys. */
export const lettersAct = signal(true);

/** Returns whether a person types text into an element, so that letters are no keys. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

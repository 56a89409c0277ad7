/** Single letters as keys. */
import { signal } from "@preact/signals";

/** True if single-letter keys are used. Some people dictate, and every word would be keys. */
export const lettersAct = signal(true);

/** Returns whether a person writes at an element: then letters are text. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

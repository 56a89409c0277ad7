/** Single letters as keys. */
import { signal } from "@preact/signals";

/** True if single-letter keys are used. For people who dictate, every word would be keys. */
export const lettersAct = signal(true);

/** Returns whether an element takes typed text, so that letters do not act as shortcuts. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

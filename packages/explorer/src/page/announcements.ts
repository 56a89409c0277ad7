/** Short messages that float over the page for some seconds, and are read to people who do not see them. */
import { signal } from "@preact/signals";

/** A message, with a link to more. */
export interface Announcement {
  readonly message: string;
  /** The target of a link: its words and its address. */
  readonly link?: { readonly words: string; readonly address: string } | undefined;
}

/** Milliseconds for which a message stays. */
const STAYS = 6_000;

/** The message that is shown. */
export const announcement = signal<Announcement | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message in place of the previous one. */
export function announce(message: string, link?: Announcement["link"]): void {
  announcement.value = { message, link };
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = undefined;
  }, STAYS);
}

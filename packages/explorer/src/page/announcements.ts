/** Short messages that float over the page for some seconds, and are read to people who do not see them. */
import { signal } from "@preact/signals";

/** A message, and where more of it is. */
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

/** Shows a message in the place of the one before. */
export function announce(message: string, link?: Announcement["link"]): void {
  announcement.value = { message, link };
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = undefined;
  }, STAYS);
}

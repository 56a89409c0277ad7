/** The page's state in its address: `#/rows/ContextDagDelta?contextId=b875…`. */
import { signal } from "@preact/signals";

/** A place in the explorer. */
export interface Place {
  /** The view: the first word of the address. */
  readonly view: string;
  /** The words after it. */
  readonly words: readonly string[];
  /** The options. */
  readonly options: Readonly<Record<string, string>>;
}

/** Reads an address, the part of a URL from `#` on. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...words] = path.split("/").filter(Boolean).map(decoded);
  return { view, words, options: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a place, as links have it. Options that are undefined or empty are left out. */
export function addressOf(
  view: string,
  words: readonly string[] = [],
  options: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [view, ...words].map(encodeURIComponent).join("/");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && value !== "") query.set(name, value);
  return query.size === 0 ? `#/${path}` : `#/${path}?${query}`;
}

/** The address of the page. */
export const place = signal<Place>(placeOf(location.hash));

/** The address of the previous entry in the browser's history; undefined if another page made it. */
const before = (): string | undefined => (history.state as { readonly before?: string } | null)?.before;

if (history.state === null) history.replaceState({}, "");
addEventListener("hashchange", ({ oldURL }) => {
  // A new entry has no state; an old entry keeps its state.
  if (history.state === null) history.replaceState({ before: new URL(oldURL).hash }, "");
  place.value = placeOf(location.hash);
});

/** Goes to an address. With `replace`, the way back skips the present one. */
export function go(address: string, { replace = false } = {}): void {
  if (!replace) location.hash = address;
  else {
    history.replaceState(history.state, "", address);
    place.value = placeOf(address);
  }
}

/**
 * Closes a detail. Goes back to the address if it opened the detail, so that the history of the browser has it once.
 */
export function closeTo(address: string): void {
  if (before() !== address) go(address, { replace: true });
  else {
    history.back();
    place.value = placeOf(address);
  }
}

/** An address may have been written by hand. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

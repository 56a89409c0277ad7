/** Returns whether a detail covers the lower part of the page. */
export function hasSheet(): boolean {
  return matchMedia("(max-width: 1023px)").matches;
}

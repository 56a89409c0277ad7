/** Arrow keys in lists of links and buttons: Up, Down, Home, End and the page keys move the focus. */
import { stepTo } from "./steps.js";

/**
 * Moves the focus among the elements of a list that a key was pressed in.
 *
 * @param selector which elements in the list take the focus
 */
export function moveByArrows(event: KeyboardEvent, selector: string): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement)) return;
  const elements = [...list.querySelectorAll<HTMLElement>(selector)];
  const at = elements.findIndex((element) => element.contains(document.activeElement));
  const to = stepTo(event.key, at, elements.length);
  if (to === undefined || at < 0) return;
  elements[to]?.focus();
  event.preventDefault();
}

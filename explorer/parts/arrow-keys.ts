/** Arrow keys in lists of links and buttons: Up, Down, Home, End and the page keys move the focus. */

/** Elements that a page key moves by. */
const PAGE = 10;

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
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: elements.length - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
  }[event.key];
  if (to === undefined || at < 0) return;
  elements[Math.max(0, Math.min(elements.length - 1, to))]?.focus();
  event.preventDefault();
}

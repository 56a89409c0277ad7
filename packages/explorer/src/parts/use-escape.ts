/** Esc first ends the selection, then goes back. */
import { useEffect } from "preact/hooks";
import { isWriting } from "../page/letters.js";

/**
 * Listens to Esc before the keys of the whole page do. Dialogs and fields handle Esc themselves.
 *
 * @param leave ends the selection; returns whether there was one
 */
export function useEscape(leave: () => boolean): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isWriting(event.target) || document.querySelector("dialog[open]") !== null) return;
      if (leave()) event.preventDefault();
    };
    addEventListener("keydown", listen, true);
    return () => removeEventListener("keydown", listen, true);
  });
}

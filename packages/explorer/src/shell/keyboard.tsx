/** The keys that work everywhere, and the sheet that lists all keys. */
import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { isWriting, lettersAct } from "../page/letters.js";
import { Dialog } from "./dialog.js";

/** True if the list of keys is shown. */
export const helpShown = signal(false);

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["/"], "search"],
  [["?"], "show these keys"],
  [["Esc"], "close what is open, then go back"],
  [["↑", "↓"], "move in lists, trees and the graph"],
  [["→", "←"], "open and close branches"],
  [["Enter"], "open what is selected"],
  [["Home", "End"], "go to the first or the last"],
  [["Page Up", "Page Down"], "move a page"],
  [["Shift", "←"], "in Time: go to the fork before; with →, to the next"],
  [["Space"], "in Time: play, or pause; in Live: pause, or go on"],
  [["Ctrl", "Enter"], "in Ask: run the question"],
  [["x"], "in Compare: swap both databases"],
  [["p", "c"], "in a history: go to the first parent, the first child"],
];

/** Listens to the keys of the whole page. Returns a function that stops it. */
export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      leave(event);
      return;
    }
    if (!lettersAct.value || isWriting(event.target)) return;
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("search")?.focus();
    } else if (event.key === "?") helpShown.value = true;
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

/** Esc leaves a field; elsewhere it goes back. Dialogs close themselves. */
function leave(event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]")) return;
  if (isWriting(event.target)) (event.target as HTMLElement).blur();
  else history.back();
}

/** The list of keys, while it is shown. */
export function KeyboardHelp() {
  if (!helpShown.value) return null;
  const close = () => {
    helpShown.value = false;
  };
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="kv keys">
        {KEYS.map(([keys, does]) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
      <label class="rowflex">
        <input
          type="checkbox"
          checked={lettersAct.value}
          onChange={({ currentTarget }) => {
            lettersAct.value = currentTarget.checked;
          }}
        />
        Use single-letter keys
      </label>
      <div class="actions">
        <button type="button" class="btn primary" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** A button that copies a text. */
import { announce } from "../page/announcements.js";
import { Icon } from "./icon.js";

/** Copies a text, and says so. `what` names the text, for people who do not see the icon. */
export function Copy({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`Copied ${what}.`);
    } catch {
      announce("The browser did not allow copying.");
    }
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
    </button>
  );
}

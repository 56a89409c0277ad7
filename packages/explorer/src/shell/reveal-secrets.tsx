/** Secrets are shown after a confirmation, until the page closes. */
import { signal } from "@preact/signals";
import { secretsRevealed } from "../page/session.js";
import { Dialog } from "./dialog.js";

const asking = signal(false);

/** True if the person has confirmed once. */
let confirmed = false;

/** Switches secrets on, after asking the first time, or off. */
export function askToReveal(): void {
  if (secretsRevealed.value || confirmed) secretsRevealed.value = !secretsRevealed.value;
  else asking.value = true;
}

/** The question, while it is asked. */
export function RevealSecrets() {
  if (!asking.value) return null;
  const close = () => {
    asking.value = false;
  };
  const reveal = () => {
    confirmed = true;
    secretsRevealed.value = true;
    close();
  };
  return (
    <Dialog title="Reveal secrets?" onClose={close}>
      <p>
        Private keys, group keys and private data of applications become readable on this screen, until you
        switch this off, open another database or close the page. Anyone who has a node’s private keys can act
        as that node.
      </p>
      <div class="actions">
        <button type="button" class="btn" onClick={close}>
          Keep redacted
        </button>
        <button type="button" class="btn danger" onClick={reveal}>
          Reveal secrets
        </button>
      </div>
    </Dialog>
  );
}

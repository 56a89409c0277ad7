/**
 * The question for the master key of an encrypted database. The page keeps the key nowhere: the field is emptied at
 * once.
 */
import { useRef } from "preact/hooks";
import { keyQuestion } from "../page/session.js";
import { Text } from "../parts/text.js";
import { Dialog } from "./dialog.js";

const encoder = new TextEncoder();

/** The question, while it is asked. */
export function AskForKey() {
  const field = useRef<HTMLInputElement>(null);
  const question = keyQuestion.value;
  if (question === undefined) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    const { current } = field;
    if (current === null || current.value === "") return;
    const digits = encoder.encode(current.value);
    current.value = "";
    question.answer(digits);
  };
  const { source, refusal } = question;
  return (
    <Dialog title="The database is encrypted" class="for-key" onClose={() => question.answer(undefined)}>
      <form onSubmit={submit}>
        <p>
          The values of <Text value={source.from === "url" ? source.url : source.name} most={60} /> are
          encrypted at rest. Its node’s master key decrypts them. The key stays in the memory of this page
          until you close the database.
        </p>
        {refusal !== undefined && (
          <p role="alert">
            <b>The key was refused:</b> <Text value={refusal} />
          </p>
        )}
        <label class="second" for="master-key">
          Master key, as hex digits
        </label>
        <span class="field">
          <input id="master-key" ref={field} type="password" autocomplete="off" spellcheck={false} />
        </span>
        <div class="actions">
          <button type="button" class="btn" onClick={() => question.answer(undefined)}>
            Do not open
          </button>
          <button type="submit" class="btn primary">
            Open
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The field for a statement, with numbered lines. Colours distinguish words of SQL and texts. */
import { useRef } from "preact/hooks";

/** The most characters of a statement that are coloured. */
const MOST_COLOURED = 10_000;

const WORDS =
  "select|from|where|group|by|order|limit|offset|having|join|left|right|full|inner|outer|cross|on|using|as|and|or|not|in|is|null|like|ilike|between|exists|case|when|then|else|end|distinct|all|union|except|intersect|with|recursive|asc|desc|over|partition|filter|values|true|false";

/** Texts, numbers and words of SQL; a comment has the look of the rest. */
const TOKEN = new RegExp(`('(?:[^']|'')*'?)|("(?:[^"]|"")*"?)|(--.*)|\\b(${WORDS})\\b`, "gi");

/** The field. */
export function Editor({
  value,
  onInput,
  onRun,
  onStop,
}: {
  value: string;
  onInput: (value: string) => void;
  onRun: () => void;
  onStop: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = value.split("\n").length;
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun();
    else if (event.key === "Escape") onStop();
    else if (event.key === "]" && event.ctrlKey && field.current !== null) {
      field.current.setRangeText("  ", field.current.selectionStart, field.current.selectionEnd, "end");
      onInput(field.current.value);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="sql">
      <div class="numbers" aria-hidden="true">
        {Array.from({ length: lines }, (_, at) => (
          <span key={at}>{at + 1}</span>
        ))}
      </div>
      <div class="field-of-sql">
        <pre aria-hidden="true">
          <code>{coloured(value)}</code>{" "}
        </pre>
        <textarea
          ref={field}
          aria-label="SQL"
          rows={lines}
          value={value}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onKeyDown={press}
        />
      </div>
    </div>
  );
}

function coloured(text: string) {
  if (text.length > MOST_COLOURED) return text;
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [token, quoted, , , word] = found;
    if (quoted === undefined && word === undefined) continue;
    parts.push(text.slice(end, found.index), word === undefined ? <i>{token}</i> : <b>{token}</b>);
    end = found.index + token.length;
  }
  return [...parts, text.slice(end)];
}

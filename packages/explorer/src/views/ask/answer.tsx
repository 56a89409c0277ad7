/** An answer: always the table, and a picture of its numbers if one is wanted. */
import { useState } from "preact/hooks";
import { place } from "../../page/address.js";
import { useAnswer } from "../../page/use-answer.js";
import type { SqlRows } from "../../page/worker-client.js";
import { Author } from "../../parts/marks.js";
import { Segments } from "../../parts/segments.js";
import { Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { Chart } from "./chart.js";
import { DIGITS, isId } from "./chart-data.js";
import { csvOf } from "./csv.js";
import { answerAddress, formOfAddress, forms } from "./options.js";

/** Rows that are drawn at first, and additional rows each time. */
const ROWS = 200;
/** Characters of a cell that are shown. */
const MOST_CHARACTERS = 200;

const FORMS = { table: "Table", bars: "Bars", line: "Line" };

/** The answer. An old one is greyed. */
export function Answer({
  answer,
  isOld,
  isRunning,
}: {
  answer: SqlRows | undefined;
  isOld: boolean;
  isRunning: boolean;
}) {
  const form = formOfAddress();
  return (
    <section class={`panel ${isOld ? "old" : ""}`} aria-labelledby="answer" aria-busy={isRunning}>
      <div class="panel-head">
        <h2 id="answer">Answer</h2>
        <span class="quiet">
          {isRunning
            ? "being asked"
            : answer && `${counted(answer.rows.length, "row")} in ${(answer.took / 1_000).toFixed(1)} s`}
        </span>
        <Segments
          label="Form"
          segments={forms.map((one) => ({
            words: FORMS[one],
            address: answerAddress({ form: one }),
            isCurrent: one === form,
          }))}
        />
        {answer && <SaveAsCsv answer={answer} />}
      </div>
      {answer && <Remarks answer={answer} />}
      {answer && form !== "table" && <Chart answer={answer} form={form} />}
      {answer && <Rows key={place.value.options.sql} answer={answer} />}
    </section>
  );
}

function Remarks({ answer: { isCut, undecoded, rows } }: { answer: SqlRows }) {
  if (!isCut && undecoded === 0) return null;
  return (
    <Note severity="warning">
      {isCut && <p>The first {count(rows.length)} rows are here; there are more.</p>}
      {undecoded > 0 && (
        <p>
          The values of {counted(undecoded, "row")} do not decode: their columns are null, and{" "}
          <code>error</code> says why.
        </p>
      )}
    </Note>
  );
}

/** Saves the rows as a file of the browser's. */
function SaveAsCsv({ answer }: { answer: SqlRows }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(answer)], { type: "text/csv" }));
    link.download = "answer.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <button type="button" class="btn small" onClick={save}>
      Save as CSV
    </button>
  );
}

function Rows({ answer: { columns, rows } }: { answer: SqlRows }) {
  const [most, setMost] = useState(ROWS);
  const people = useAnswer("colourTexts").answer ?? {};
  const isNumber = columns.map(({ type }) =>
    /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$|^(?:DOUBLE|FLOAT)$|^DECIMAL/.test(type),
  );
  if (rows.length === 0) return <p class="panel-body quiet">No row answers.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and nothing in it has the focus */}
      <section class="scroll" aria-label="Rows of the answer" tabIndex={0}>
        <table class="tbl">
          <thead>
            <tr>
              {columns.map(({ name }, at) => (
                <th key={name} class={isNumber[at] ? "num" : ""}>
                  <Text value={name} most={60} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} class={isNumber[column] ? "num" : ""}>
                    <Cell value={cell} people={people} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {most < rows.length && (
        <div class="panel-foot">
          <button type="button" class="btn small" onClick={() => setMost(most + ROWS)}>
            {count(Math.min(ROWS, rows.length - most))} more of {count(rows.length - most)}
          </button>
        </div>
      )}
    </>
  );
}

/** @param people the colours of people, by their names and the first digits of their ids */
function Cell({ value, people }: { value: unknown; people: Readonly<Record<string, number>> }) {
  if (value === null) return <span class="quiet">null</span>;
  if (typeof value === "number") return <>{count(value)}</>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const digits = isId(text) ? text.slice(0, DIGITS) : undefined;
  const shown =
    digits !== undefined ? (
      <code title={text}>{digits}</code>
    ) : (
      <span title={text.length > MOST_CHARACTERS ? `${text.length} characters` : undefined}>
        <Text value={text} most={MOST_CHARACTERS} />
      </span>
    );
  const person = digits ?? text;
  return Object.hasOwn(people, person) ? <Author author={people[person] as number}>{shown}</Author> : shown;
}

/** The view Ask: questions in SQL over the databases that are served with the page. */
import "./ask.css";
import { useEffect, useState } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { ask, askedDatabases, question, readTables, stop, tables } from "../../page/sql.js";
import { Copy } from "../../parts/copy.js";
import { Empty, Note } from "../../parts/states.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import { Answer } from "./answer.js";
import { Editor } from "./editor.js";
import { askAddress } from "./options.js";
import { Tables } from "./tables.js";
import { type Template, templates } from "./templates.js";

export function Ask() {
  const databases = askedDatabases();
  const known = tables.value;
  useEffect(() => void readTables(), [databases.length]);
  if (databases.length === 0 || (known !== undefined && "message" in known))
    return (
      <View title="Ask" head={<h1>Ask</h1>}>
        {known !== undefined && "message" in known ? (
          <Empty heading="The databases cannot be asked.">
            <p>
              <Text value={plainText(known.message)} />
            </p>
            <button type="button" class="btn" onClick={() => void readTables()}>
              Try again
            </button>
          </Empty>
        ) : (
          <Empty heading="Questions in SQL need merostore explore.">
            <p>
              A page that reads a dropped folder or a URL has no DuckDB. Start the page from a terminal; the
              package @duckdb/node-api answers there.
            </p>
          </Empty>
        )}
      </View>
    );
  return <Asking locations={databases.map(({ path }) => path)} />;
}

function Asking({ locations }: { locations: readonly string[] }) {
  const { state, answer, statement: asked, message } = question.value;
  const given = place.value.options.sql ?? asked ?? (templates[0] as Template).statement;
  const [typed, setTyped] = useState(given);
  const current = place.value.options.sql;
  // Another question came by a link or by the list.
  useEffect(() => {
    if (current !== undefined) setTyped(current);
  }, [current]);
  const run = (statement: string, form = place.value.options.form): void => {
    go(askAddress(statement, form), { replace: true });
    void ask(statement);
  };
  return (
    <View
      title="Ask"
      class="ask"
      command={["sql", ...locations, typed.replace(/\s+/g, " ").trim()]}
      head={<h1>Ask</h1>}
      answer={
        <>
          Each kind of row is a table.{" "}
          {answer !== undefined && state === "done" && (
            <>
              <b>{counted(answer.rows.length, "row")}</b>
              {answer.isCut ? " of more answered" : " answered"}, from {count(answer.read)} that were read.{" "}
            </>
          )}
          Nothing is written, and no secret is shown.
        </>
      }
    >
      <div class="cols askc">
        <aside class="panel askl">
          <div class="panel-head">
            <h2>Questions</h2>
          </div>
          <div class="list">
            {templates.map(({ words, statement, form }) => (
              <a
                key={words}
                class={`item ${statement === current ? "sel" : ""}`}
                href={askAddress(statement, form)}
                onClick={(event) => {
                  event.preventDefault();
                  setTyped(statement);
                  run(statement, form);
                }}
              >
                {words}
              </a>
            ))}
          </div>
          <Tables />
        </aside>
        <div class="cols">
          <section class="panel" aria-label="Question">
            <Editor value={typed} onInput={setTyped} onRun={() => run(typed)} onStop={stop} />
            <div class="panel-foot rowflex">
              {state === "running" ? (
                <button type="button" class="btn" onClick={stop}>
                  Stop
                </button>
              ) : (
                <button type="button" class="btn primary" onClick={() => run(typed)}>
                  Run
                </button>
              )}
              <span class="quiet nowrap">
                <kbd>Ctrl</kbd> <kbd>Enter</kbd>
              </span>
              <span class="grow" />
              <span class="quiet hide-s">
                {current !== undefined && current !== asked
                  ? "The question of this link was not asked yet."
                  : "The question is in the address: a copied link has it."}
              </span>
              <Copy
                text={new URL(askAddress(typed, place.value.options.form), location.href).href}
                what="the link to the question"
              />
            </div>
          </section>
          {state === "failed" && (
            <Note severity="error">
              <p>
                <b>There is no answer.</b>
              </p>
              <pre class="why-not">
                <Text value={plainText(message ?? "")} lines />
              </pre>
            </Note>
          )}
          {(answer !== undefined || state === "running") && (
            <Answer answer={answer} isOld={state !== "done"} isRunning={state === "running"} />
          )}
        </div>
      </div>
    </View>
  );
}

/** The view Ask: questions in SQL over the databases that are served with the page. */
import "./ask.css";
import { useEffect, useState } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { ask, askedDatabases, question, readTables, stop, tables } from "../../page/sql.js";
import { type ServedSource, sourceOf } from "../../page/worker-client.js";
import { Copy } from "../../parts/copy.js";
import { Segments } from "../../parts/segments.js";
import { Empty, Note } from "../../parts/states.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import { Answer } from "./answer.js";
import { Editor } from "./editor.js";
import { ALL, answerAddress, askAddress } from "./options.js";
import { Tables } from "./tables.js";
import { statementFor, type Template, templatesFor } from "./templates.js";

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
  return <Asking databases={databases} />;
}

/** The shown database, if the server has it; undefined if all are asked. */
function askedOf(databases: readonly ServedSource[]): ServedSource | undefined {
  const own = databases.find((one) => one === sourceOf("a")) ?? databases[0];
  return databases.length > 1 && place.value.options.of === ALL ? undefined : own;
}

function Asking({ databases }: { databases: readonly ServedSource[] }) {
  const one = askedOf(databases);
  const { state, answer, statement: asked, of, message } = question.value;
  const templates = templatesFor(one === undefined);
  const given = place.value.options.sql ?? asked ?? (templates[0] as Template).statement;
  const [typed, setTyped] = useState(given);
  const current = place.value.options.sql;
  // The page's own question is asked at once; a question from a link waits.
  useEffect(() => {
    if (current !== undefined) return;
    const form = templates.find(({ statement }) => statement === typed)?.form;
    if (state === "waiting") run(typed, form);
    else go(askAddress(typed, form), { replace: true });
  }, []);
  useEffect(() => {
    if (asked !== undefined && current === asked && of !== one) run(statementFor(one === undefined, asked));
  }, [one]);
  // Another question came by a link or by the list.
  useEffect(() => {
    if (current !== undefined) setTyped(current);
  }, [current]);
  const run = (statement: string, form = place.value.options.form): void => {
    go(askAddress(statement, form), { replace: true });
    void ask(statement, one);
  };
  return (
    <View
      title="Ask"
      class="ask"
      command={[
        "sql",
        ...(one === undefined ? databases : [one]).map(({ path }) => path),
        typed.replace(/\s+/g, " ").trim(),
      ]}
      head={<h1>Ask</h1>}
      answer={
        answer !== undefined && state === "done" ? (
          <>
            <b>{counted(answer.rows.length, "row")}</b>
            {answer.isCut ? " of more answered" : " answered"}, from {count(answer.read)} that were read of{" "}
            {of === undefined ? `all ${databases.length} databases` : <Text value={of.name} most={60} />}.
          </>
        ) : (
          "Each kind of row is a table. Nothing is written, and no secret is shown."
        )
      }
    >
      <div class="cols askc">
        <aside class="panel askl" aria-label="Questions and tables">
          <div class="panel-head">
            <h2>Questions</h2>
          </div>
          <Questions
            templates={templates}
            current={current}
            onAsk={({ statement, form }) => {
              setTyped(statement);
              run(statement, form);
            }}
          />
          <Tables />
        </aside>
        <div class="cols">
          <section class="panel" aria-label="Question">
            {databases.length > 1 && <AskedOf databases={databases} one={one} />}
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

/** The questions that are ready to ask. */
function Questions({
  templates,
  current,
  onAsk,
}: {
  templates: readonly Template[];
  /** The statement of the address. */
  current: string | undefined;
  onAsk: (template: Template) => void;
}) {
  return (
    <div class="list">
      {templates.map((template) => (
        <a
          key={template.words}
          class={`item ${template.statement === current ? "sel" : ""}`}
          href={askAddress(template.statement, template.form)}
          onClick={(event) => {
            event.preventDefault();
            onAsk(template);
          }}
        >
          {template.words}
        </a>
      ))}
    </div>
  );
}

/** The choice between one database and all. */
function AskedOf({ databases, one }: { databases: readonly ServedSource[]; one: ServedSource | undefined }) {
  return (
    <div class="panel-head asked-of">
      <Segments
        label="Asked"
        segments={[
          {
            words: plainText((one ?? databases[0])?.name ?? "", 40),
            address: answerAddress({ of: undefined }),
            isCurrent: one !== undefined,
          },
          {
            words: `All ${databases.length} databases`,
            address: answerAddress({ of: ALL }),
            isCurrent: one === undefined,
          },
        ]}
      />
      {one === undefined && (
        <span class="quiet">the column “node” says which; “this node” is another account in each</span>
      )}
    </div>
  );
}

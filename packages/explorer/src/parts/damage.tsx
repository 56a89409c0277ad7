/** Names the unreadable parts of a damaged database, and the remedy: in every view, because each may lack rows. */
import { commandLine } from "../page/command-line.js";
import { countedRows } from "../page/row-counts.js";
import { database } from "../page/session.js";
import { Copy } from "./copy.js";
import { Note } from "./states.js";
import { counted, Text } from "./text.js";

/** The note; nothing for a whole database. */
export function Damage() {
  const damaged = (countedRows.value.counts?.families ?? []).filter(({ error }) => error !== undefined);
  if (damaged.length === 0) return null;
  const command = commandLine(["recover", database.value?.location ?? "", "NEW"]);
  return (
    <Note severity="error">
      <p>
        <b>The database is damaged.</b> Rows of{" "}
        <Text value={enumerated(damaged.map(({ column }) => column))} /> are missing here, and others may show
        as they were before their last change. This command makes a new database of all that can be read, and
        names what is lost:
      </p>
      <div class="cmdline">
        <code>{command}</code>
        <Copy text={command} what="the command" />
      </div>
      <details>
        <summary>Where it is damaged</summary>
        <ul class="damage">
          {damaged.map(({ column, rows, error = "" }) => (
            <li key={column}>
              <b>
                <Text value={column} most={80} />
              </b>
              , of which {counted(rows, "row")} can be read: <Text value={error} />
            </li>
          ))}
        </ul>
      </details>
    </Note>
  );
}

/** `Delta, Group and State`. */
function enumerated(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** The tables that a question can name: the views first, then a table for each kind of row. */
import { useState } from "preact/hooks";
import { tables } from "../../page/sql.js";
import { Kind } from "../../parts/marks.js";
import { counted, Text } from "../../parts/text.js";

/** Tables that are listed at first. */
const FIRST = 12;

/** The list; a click shows the columns of a table. */
export function Tables() {
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const [isWhole, setWhole] = useState(false);
  const known = tables.value;
  const all = known !== undefined && "all" in known ? known.all : [];
  const shown = isWhole ? all : all.slice(0, FIRST);
  return (
    <div class="list tb" aria-busy={known === undefined}>
      <div class="head">Tables</div>
      {shown.map(({ name, columns, isView }) => (
        <div key={name}>
          <button
            type="button"
            class="item"
            aria-expanded={opened === name}
            onClick={() => setOpened(opened === name ? undefined : name)}
          >
            {isView ? <code>{name}</code> : <Kind kind={name} />}
          </button>
          {opened === name && (
            <ul class="colsl">
              {columns.map((column) => (
                <li key={column.name}>
                  <code>
                    <Text value={column.name} most={60} />
                  </code>{" "}
                  <Text value={column.type} most={60} />
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {shown.length < all.length && (
        <button type="button" class="item quiet" onClick={() => setWhole(true)}>
          {counted(all.length - shown.length, "more table")}
        </button>
      )}
    </div>
  );
}

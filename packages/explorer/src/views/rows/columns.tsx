/** The columns of the grid. */
import type { Grid } from "./use-grid.js";

export function Columns({
  columns,
  hidden,
  onChange,
}: {
  columns: Grid["columns"];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}) {
  const toggle = (name: string) => {
    const changed = new Set(hidden);
    if (!changed.delete(name)) changed.add(name);
    onChange(changed);
  };
  return (
    <details class="columns">
      <summary class="btn">Columns</summary>
      <fieldset>
        <legend class="sr">Columns that are shown</legend>
        {columns.map(({ name }) => (
          <label key={name} class="rowflex">
            <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

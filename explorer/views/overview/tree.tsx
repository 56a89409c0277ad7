/** Namespaces, groups and contexts as a tree, with what each holds. */
import { useMemo, useRef, useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import { groupAddress, historyAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import type { Answer } from "../../page/worker-client.js";
import { Empty } from "../../parts/states.js";
import { count } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import { rowHeight, useVirtualRows } from "../../parts/virtual-rows.js";
import { type TreeLine, TreeRow } from "./tree-row.js";
import { hasChildren, parentOf, stepTo, visibleLines } from "./tree-steps.js";

/** Lines that are in the page without a frame of their own. */
const MOST_OPEN = 120;

/** The tree. */
export function Tree({ overview }: { overview: Answer<"overview"> }) {
  const { tree } = overview;
  if (tree.length === 0)
    return (
      <Empty heading="This node is in no group, and has no context.">
        <p class="second">Rows of other kinds may be there: see what takes the space, below.</p>
      </Empty>
    );
  return (
    <Panel title="Namespaces, groups and contexts" remark={<Part overview={overview} />}>
      <Lines tree={tree} />
    </Panel>
  );
}

function Part({ overview: { namespaces, groups, memberOf, role } }: { overview: Answer<"overview"> }) {
  const all = namespaces + groups;
  if (memberOf === 0) return <>this node is a member of none</>;
  const words = memberOf === all ? `all ${count(all)}` : `${count(memberOf)} of ${count(all)}`;
  return <>{`this node is ${role?.replace(", ", " and ") ?? "a member"} of ${words}`}</>;
}

function Lines({ tree }: { tree: readonly TreeLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(0);
  const closedText = place.value.options.closed ?? "";
  const lines = useMemo(
    () => visibleLines(tree, new Set(closedText.split(",").filter(Boolean))),
    [tree, closedText],
  );
  const { counts } = countedRows.value;
  const sizes = useMemo(() => new Map(counts?.contexts.map((one) => [one.id, one])), [counts]);
  const isLong = lines.length > MOST_OPEN;
  const list = useVirtualRows(scroller, lines.length, rowHeight());
  const shown = isLong ? list.rows : lines.map((_, index) => ({ index, start: index * rowHeight() }));
  const at = Math.min(focused, lines.length - 1);

  const focus = (index: number) => {
    setFocused(index);
    if (isLong) list.scrollTo(index);
    else document.getElementById(idOf(index))?.scrollIntoView({ block: "nearest" });
  };
  const toggle = (line: TreeLine) => {
    const closed = new Set(closedText.split(",").filter(Boolean));
    const digits = shortId(line);
    if (!closed.delete(digits)) closed.add(digits);
    const { words, options } = place.value;
    go(addressOf("overview", words, { ...options, closed: [...closed].join(",") }), { replace: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[at];
    if (line === undefined) return;
    const { isClosed } = line;
    if (event.key === "Enter") go(addressOfLine(line.line));
    else if (event.key === "ArrowRight" && hasChildren(tree, line) && isClosed) toggle(line.line);
    else if (event.key === "ArrowRight" && hasChildren(tree, line)) focus(at + 1);
    else if (event.key === "ArrowLeft" && hasChildren(tree, line) && !isClosed) toggle(line.line);
    else if (event.key === "ArrowLeft") focus(parentOf(lines, at));
    else {
      const next = stepTo(event.key, at, lines.length);
      if (next === undefined) return;
      focus(next);
    }
    event.preventDefault();
  };

  const first = shown[0];
  const last = shown.at(-1);
  const above = isLong ? (first?.start ?? 0) : 0;
  const below = isLong && last ? list.height - last.start - rowHeight() : 0;
  return (
    <div class={`scroll ${isLong ? "tree-frame" : ""}`} ref={scroller}>
      <table
        class="tbl tree-table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows open and close is a treegrid.
        role="treegrid"
        aria-label="Namespaces, groups and contexts"
        aria-rowcount={lines.length + 1}
        aria-activedescendant={idOf(at)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th>Name</th>
            <th class="num">Members</th>
            <th class="num">Deltas</th>
            <th class="num hide-s">Rows of state</th>
            <th class="num hide-s">Bytes</th>
            <th class="num hide-s">Last change, UTC</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {shown.map(({ index }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return (
              <TreeRow
                key={`${line.line.id}${line.line.depth}`}
                id={idOf(index)}
                rowIndex={index + 2}
                line={line.line}
                address={addressOfLine(line.line)}
                isOpen={hasChildren(tree, line) ? !line.isClosed : undefined}
                isFocused={index === at}
                sizes={counts === undefined ? "counting" : sizes.get(line.line.id)}
                onToggle={() => toggle(line.line)}
                onFocus={() => setFocused(index)}
              />
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </div>
  );
}

function Gap({ height }: { height: number }) {
  return (
    <tr class="tree-gap">
      <td colSpan={6} style={{ height: `${height}px` }} />
    </tr>
  );
}

function idOf(index: number): string {
  return `tree-${index}`;
}

function shortId({ id }: TreeLine): string {
  return id.slice(0, 8);
}

function addressOfLine({ kind, id }: TreeLine): string {
  return kind === "context" ? historyAddress("context", id) : groupAddress(id);
}

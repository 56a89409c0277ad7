/** Namespaces, groups and contexts as a tree, with their content. */
import { useMemo, useRef, useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import { groupAddress, historyAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import type { Answer } from "../../page/worker-client.js";
import { GapRow } from "../../parts/gap-row.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { Empty } from "../../parts/states.js";
import { parentOf, stepTo } from "../../parts/steps.js";
import { count } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import { type TreeLine, TreeRow } from "./tree-row.js";
import { hasChildren, visibleLines } from "./tree-steps.js";

/** The most lines without a scrolling frame. */
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
  const words = `${memberOf === all ? "all" : `${count(memberOf)} of`} ${count(all)} namespaces and groups`;
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
  const height = useMemo(() => rowHeight(), []);
  const list = useRowWindow(scroller, lines.length, height, height + 1);
  const first = isLong ? list.first : 0;
  const shown = isLong ? lines.slice(first, first + list.count) : lines;
  const at = Math.min(focused, lines.length - 1);

  const focus = (index: number) => {
    setFocused(index);
    if (isLong) list.reveal(index);
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
    else if (event.key === "ArrowLeft")
      focus(
        parentOf(
          lines.map((one) => one.line),
          at,
        ),
      );
    else {
      const next = stepTo(event.key, at, lines.length);
      if (next === undefined) return;
      focus(next);
    }
    event.preventDefault();
  };

  return (
    <div class={`scroll tree-scroll ${isLong ? "tree-frame" : ""}`} ref={scroller}>
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
            <th class="num hide-s size">Rows of state</th>
            <th class="num hide-s size">Size of state</th>
            <th class="num hide-s">Last change, UTC</th>
          </tr>
        </thead>
        <tbody>
          {isLong && <GapRow height={list.above} columns={6} />}
          {shown.map((line, place) => {
            const index = first + place;
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
          {isLong && <GapRow height={list.below} columns={6} />}
        </tbody>
      </table>
    </div>
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

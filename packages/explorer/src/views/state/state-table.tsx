/** The tree of a state as one table: the application's values beside the entities of the Merkle tree. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import type { Answer } from "../../page/worker-client.js";
import { GapRow } from "../../parts/gap-row.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { parentOf, stepTo } from "../../parts/steps.js";
import { plainText } from "../../parts/text.js";
import { utcDate } from "../../parts/time.js";
import { hasSheet } from "../../parts/view.js";
import { StateLine } from "./state-line.js";
import { type StateRow, type TreeLine, treeLines } from "./tree-lines.js";
import { useStateTree } from "./use-state-tree.js";

/** The most lines without a scrolling frame. */
const MOST_OPEN = 120;
/** Pixels of the head. */
const HEAD = 33;

/** The table. */
export function StateTable({
  contextId,
  root,
  survey,
  revealed,
  chosen,
  chosenKey,
  onPrivate,
}: {
  contextId: string;
  root: Answer<"stateRoot">;
  survey: Answer<"stateSurvey"> | undefined;
  revealed: boolean;
  /** The chosen entity, if it is known. */
  chosen: Answer<"stateEntity"> | undefined;
  /** The key of the chosen row, if it is known without an answer. */
  chosenKey: string | undefined;
  /** Chooses a row of private data. */
  onPrivate: (row: StateRow) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const tree = useStateTree(contextId, revealed, root);
  const within = chosen?.within ?? [];
  const pinned = useMemo(() => {
    const last = within.at(-1);
    return chosen?.row === undefined || last === undefined ? undefined : { row: chosen.row, within: last };
  }, [chosen]);
  const lines = useMemo(
    () => treeLines({ root, survey, loaded: tree.loaded, open: tree.open, pinned, isRevealed: revealed }),
    [root, survey, tree.loaded, tree.open, pinned, revealed],
  );
  const [focusedKey, setFocused] = useState<string | undefined>(undefined);
  const selectedKey = lostKey(chosenKey) ?? chosen?.row?.key;
  // If the focused line disappears, such as the line that loads more, the focus stays in its place.
  const before = useRef(0);
  const found = lines.findIndex(({ key }) => key === (focusedKey ?? selectedKey));
  const at = Math.max(0, Math.min(found < 0 ? before.current : found, lines.length - 1));
  before.current = at;
  const isLong = lines.length > MOST_OPEN;
  const height = useMemo(() => rowHeight(), []);
  const list = useRowWindow(scroller, lines.length, height, HEAD);
  const first = isLong ? list.first : 0;
  const shown = isLong ? lines.slice(first, first + list.count) : lines;

  // Opens the rows around the part in the address, and brings it into sight.
  const wanted = within.join(" ");
  useEffect(() => tree.reveal(within), [wanted]);
  const selectedAt = lines.findIndex(({ key }) => key === selectedKey);
  useEffect(() => {
    if (selectedAt >= 0) bring(selectedAt);
  }, [selectedKey, selectedAt < 0]);

  const bring = (index: number) => {
    if (isLong) list.reveal(index);
    else document.getElementById(idOf(index))?.scrollIntoView({ block: hasSheet() ? "center" : "nearest" });
  };
  // The table gets a scrolling frame, which begins at the top.
  useEffect(() => {
    if (isLong && focusedKey !== undefined) list.reveal(at, "center");
  }, [isLong]);
  const focus = (index: number) => {
    setFocused(lines[index]?.key);
    bring(index);
  };
  const act = (line: TreeLine) => {
    if (line.kind === "more") tree.more(line.of);
    else if (line.kind === "group" && line.isOpen !== undefined) tree.toggle(line.key);
    else if (line.kind === "row" && line.row.struct !== undefined) onPrivate(line.row);
    else {
      const address = addressOfLine(contextId, line);
      if (address !== undefined) go(address);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const line = lines[at];
    if (line === undefined) return;
    const isOpen = opened(line);
    if (event.key === "Enter" || event.key === " ") act(line);
    else if (event.key === "ArrowRight" && isOpen === false) tree.toggle(line.key);
    else if (event.key === "ArrowRight" && isOpen === true) focus(Math.min(at + 1, lines.length - 1));
    else if (event.key === "ArrowLeft" && isOpen === true) tree.toggle(line.key);
    else if (event.key === "ArrowLeft") focus(parentOf(lines, at));
    else {
      const next = stepTo(event.key, at, lines.length);
      if (next === undefined) return;
      focus(next);
    }
    event.preventDefault();
  };

  return (
    <section class="panel">
      <div class={`scroll ${isLong ? "state-frame" : ""}`} ref={scroller}>
        <table
          class="tbl stt"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows open and close is a treegrid.
          role="treegrid"
          aria-label="The application's data beside the Merkle tree"
          aria-rowcount={lines.length + 1}
          aria-activedescendant={lines.length > 0 ? idOf(at) : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <Head day={root.root.row?.updated} />
          <tbody>
            {isLong && <GapRow height={list.above} />}
            {shown.map((line, place) => {
              const index = first + place;
              return (
                <StateLine
                  key={line.key}
                  id={idOf(index)}
                  rowIndex={index + 2}
                  line={line}
                  day={root.root.row?.updated}
                  address={addressOfLine(contextId, line)}
                  isFocused={index === at}
                  isSelected={line.key === selectedKey}
                  onToggle={() => {
                    setFocused(line.key);
                    tree.toggle(line.key);
                  }}
                  onAct={() => {
                    setFocused(line.key);
                    act(line);
                  }}
                />
              );
            })}
            {isLong && <GapRow height={list.below} />}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** `day`: a time of the day on which most entities were changed. */
function Head({ day }: { day: number | undefined }) {
  return (
    <>
      <colgroup>
        <col class="st-name" />
        <col class="st-value" />
        <col class="st-type hide-m" />
        <col class="st-id hide-s" />
        <col class="st-hash hide-s" />
        <col class="st-hash hide-l" />
        <col class="st-storage hide-l" />
        <col class="st-time hide-s" />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th>Field or key</th>
          <th>Value</th>
          <th class="hide-m st-type">Type</th>
          <th class="mk hide-s">Entity</th>
          <th class="hide-s st-hash">Full hash</th>
          <th class="hide-l">Own hash</th>
          <th class="hide-l">Storage</th>
          <th class="num hide-s">
            Updated{day !== undefined && <span class="st-rest"> {utcDate(day)}</span>}, UTC
          </th>
        </tr>
      </thead>
    </>
  );
}

function idOf(index: number): string {
  return `state-${index}`;
}

/** Returns whether a line is open; undefined for a line that cannot open. */
function opened(line: TreeLine): boolean | undefined {
  if (line.kind === "group") return line.isOpen;
  return line.kind === "row" && line.row.opens !== undefined ? line.isOpen : undefined;
}

/** The address that selects a line. Private data has none: its keys would stay in the browser's history. */
function addressOfLine(contextId: string, line: TreeLine): string | undefined {
  const { delta } = place.value.options;
  if (line.kind === "row" && line.row.struct === undefined)
    return addressOf("state", [contextId], { entity: line.row.entity?.id, at: line.key, delta });
  if (line.kind === "lost") return addressOf("state", [contextId], { entity: line.lost.id, at: "-", delta });
  return undefined;
}

function lostKey(chosenKey: string | undefined): string | undefined {
  if (chosenKey !== "-") return chosenKey;
  return `#lost ${plainText(place.value.options.entity ?? "", 64)}`;
}

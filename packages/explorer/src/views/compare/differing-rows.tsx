/** The differing rows, by kind, with their differing fields. */
import { useMemo, useRef, useState } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { rowsAddress } from "../../page/addresses.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Kind } from "../../parts/marks.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { stepTo } from "../../parts/steps.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import type { DifferencesOfKind, DifferingRow, KeyPart } from "../../worker/compare/differing-rows.js";
import { type DifferenceLine, linesOf, totalsOf } from "./difference-lines.js";
import { compareAddress, thingOfAddress } from "./options.js";
import { differingRows } from "./totals.js";

/** Lines of the list that are in sight at most. */
const IN_SIGHT = 24;

/** The list. Kinds open and close. A row is a link to its view if A has it. */
export function DifferingRows({
  kinds,
  leavesOut,
}: {
  kinds: readonly DifferencesOfKind[];
  leavesOut: boolean;
}) {
  const open = place.value.options.kind;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const lines = useMemo(() => linesOf(kinds, open, leavesOut), [kinds, open, leavesOut]);
  const height = useMemo(() => rowHeight(), []);
  const list = useRowWindow(scroller, lines.length, height);
  const all = kinds.reduce((sum, kind) => sum + differingRows(totalsOf(kind, leavesOut)), 0);
  const current = Math.min(active, Math.max(0, lines.length - 1));
  const toggle = (name: string): void =>
    go(compareAddress(thingOfAddress(), { kind: name === open ? undefined : name }), { replace: true });
  const act = (line: DifferenceLine | undefined, opens?: boolean): void => {
    if (line?.is === "kind" && (opens === undefined || opens !== line.isOpen)) toggle(line.name);
    if (line?.is === "row" && opens === undefined) {
      const address = addressOfRow(line.of, line.row);
      if (address !== undefined) go(address);
    }
  };
  const goTo = (to: number): void => {
    setActive(to);
    list.reveal(to);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = stepTo(event.key, current, lines.length, page);
    if (to !== undefined) goTo(to);
    else if (event.key === "ArrowRight") act(lines[current], true);
    else if (event.key === "ArrowLeft") act(lines[current], false);
    else if (event.key === "Enter" || event.key === " ") act(lines[current]);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest("a")) return;
    const at = Number(target.closest<HTMLElement>("[data-line]")?.dataset.line ?? Number.NaN);
    const line = lines[at];
    if (line === undefined) return;
    setActive(at);
    if (line.is === "kind") toggle(line.name);
  };
  return (
    <section class="panel" aria-labelledby="differing-rows">
      <div class="panel-head">
        <h2 id="differing-rows">Rows that differ</h2>
        <span class="quiet">{counted(all, "row")}</span>
      </div>
      {lines.length === 0 ? (
        <p class="panel-body">
          {leavesOut ? "All differences are expected between correct nodes." : "No row differs."}
        </p>
      ) : (
        <div
          class="scroller dif-list"
          ref={scroller}
          role="tree"
          tabIndex={0}
          aria-label="Rows that differ, by kind"
          aria-activedescendant={`difference-${current}`}
          onKeyDown={onKeyDown}
          onClick={onClick}
          style={{ height: `${Math.min(lines.length, IN_SIGHT) * height}px` }}
        >
          <div class="lines" style={{ height: `${list.height}px` }} role="presentation">
            {lines.slice(list.first, list.first + list.count).map((line, place) => {
              const index = list.first + place;
              return (
                <div
                  key={index}
                  id={`difference-${index}`}
                  data-line={index}
                  class={`dif-line is-${line.is} ${index === current ? "is-active" : ""}`}
                  role="treeitem"
                  tabIndex={-1}
                  aria-selected={index === current}
                  aria-level={line.is === "kind" ? 1 : line.is === "row" ? 2 : 3}
                  aria-expanded={line.is === "kind" ? line.isOpen : undefined}
                  style={{ top: `${list.above + place * height}px` }}
                >
                  <Line of={line} leavesOut={leavesOut} />
                </div>
              );
            })}
          </div>
        </div>
      )}
    </section>
  );
}

function Line({ of: line, leavesOut }: { of: DifferenceLine; leavesOut: boolean }) {
  if (line.is === "kind") return <KindLine of={line.of} isOpen={line.isOpen} leavesOut={leavesOut} />;
  if (line.is === "row") return <RowLine of={line.of} row={line.row} />;
  if (line.is === "more") return <span class="quiet whole">{line.words}</span>;
  const { path, a, b } = line.field;
  return (
    <>
      <span class="field-path" title={plainText(path, 400)}>
        <code class="second">{path === "" ? "the value" : <Text value={path} most={120} />}</code>
      </span>
      <Value side="a" value={a} />
      <Value side="b" value={b} />
    </>
  );
}

function Value({ side, value }: { side: "a" | "b"; value: string | undefined }) {
  return (
    <span class={side === "a" ? "va" : "vb"} title={value === undefined ? undefined : plainText(value, 400)}>
      <span class="sr">{side.toUpperCase()}: </span>
      {value === undefined ? (
        <span class="quiet">none</span>
      ) : value === "" ? (
        <span class="quiet">empty</span>
      ) : (
        <code>
          <Text value={value} most={160} />
        </code>
      )}
    </span>
  );
}

function KindLine({ of, isOpen, leavesOut }: { of: DifferencesOfKind; isOpen: boolean; leavesOut: boolean }) {
  const { onlyInA, onlyInB, different } = totalsOf(of, leavesOut);
  const expected = differingRows(of.expected);
  return (
    <>
      <span>
        <span class={`twig ${isOpen ? "open" : ""}`} aria-hidden="true" />
        <Kind kind={of.kind ?? ""}>
          {of.kind ?? <Text value={`unknown rows in ${of.column}`} most={60} />}
        </Kind>
      </span>
      <span class="counts sum">{count(different + onlyInA + onlyInB)}</span>
      <span class="counts parts-of-sum">
        {different > 0 && <span>{count(different)} different</span>}
        {onlyInA > 0 && <span class="of-a">{count(onlyInA)} only on A</span>}
        {onlyInB > 0 && <span class="of-b">{count(onlyInB)} only on B</span>}
        {!leavesOut && expected > 0 && (
          <span class="quiet">
            {expected === onlyInA + onlyInB + different ? "all" : count(expected)} expected
          </span>
        )}
      </span>
    </>
  );
}

/** The address of the row in Rows; undefined if A does not have it. */
function addressOfRow({ kind }: DifferencesOfKind, { difference, key }: DifferingRow): string | undefined {
  if (kind === null || key === undefined || difference === "only in b") return undefined;
  return rowsAddress(kind, {}, key);
}

function RowLine({ of, row }: { of: DifferencesOfKind; row: DifferingRow }) {
  const address = addressOfRow(of, row);
  const title = row.parts.map(({ part, text }) => `${part} ${plainText(text, 80)}`).join(", ");
  const words = row.parts.map((part) => <Part key={part.part} of={part} />);
  return (
    <>
      <span class="row-name" title={title}>
        {address === undefined ? (
          <span>{words}</span>
        ) : (
          <a href={address} tabIndex={-1}>
            {words}
          </a>
        )}
      </span>
      <span class="where">
        {row.difference === "only in a" && <span class="of-a">only on A</span>}
        {row.difference === "only in b" && <span class="of-b">only on B</span>}
        {row.expected !== undefined && (
          <span class="quiet" title={row.expected}>
            expected: {row.expected}
          </span>
        )}
      </span>
    </>
  );
}

function Part({ of: { text, name } }: { of: KeyPart }) {
  if (name !== undefined)
    return (
      <span class="part">
        <Text value={name} most={40} />
      </span>
    );
  return (
    <code class="part">
      {/^[0-9a-f]{16,}$/.test(text) ? text.slice(0, SHOWN_DIGITS) : <Text value={text} most={40} />}
    </code>
  );
}

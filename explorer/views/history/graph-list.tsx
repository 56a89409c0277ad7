/** The rows of a history, newest first, with the graph beside them. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { graphWidth, NARROW_PITCH, PITCH } from "../../parts/graph/draw.js";
import { LaneCanvas } from "../../parts/graph/lane-canvas.js";
import { LaneLines } from "../../parts/graph/lane-lines.js";
import { useMade } from "../../parts/made.js";
import { rowHeight, useVirtualRows } from "../../parts/virtual-rows.js";
import type { HistoryShape } from "../../worker/history.js";
import type { HistoryRow } from "../../worker/history-rows.js";
import { drawnRows } from "./drawn-rows.js";
import { FoldedRows, type Listed } from "./folded-rows.js";
import { FoldLine, RowLine } from "./lines.js";
import type { WordsOf } from "./rows-in-sight.js";

/** The part of the list that the lanes may take. */
const MOST_WIDTH = 0.4;

/** What keys and clicks do. */
export interface ListActions {
  /** Selects a row. `isStep`: as one step of many, which the way back skips. */
  select(row: number, isStep: boolean): void;
  /** Moves on to what the selected row is. */
  enter(): void;
  /** Ends the selection. False if there is none. */
  leave(): boolean;
}

/** The list. */
export function GraphList({
  shape,
  selected,
  target,
  wordsOf,
  actions,
  hasDates,
  hasAuthors,
}: {
  shape: HistoryShape;
  /** The selected row. */
  selected: number | undefined;
  /** A row that is brought into sight, without being selected. */
  target: { readonly row: number } | undefined;
  wordsOf: WordsOf;
  actions: ListActions;
  /** Whether times need their dates. */
  hasDates: boolean;
  /** Whether authors have a column: sentences about operations begin with theirs. */
  hasAuthors: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [activeFold, setActiveFold] = useState<number | undefined>(undefined);
  const [shift, setShift] = useState(0);
  const lines = useMemo(() => new LaneLines(shape, shape.lanes), [shape]);
  const closed = useMemo(
    () => shape.folds.filter(({ start, end }) => !unfolded.has(start) && !isWithin(selected, start, end)),
    [shape, unfolded, selected],
  );
  const listed = useMemo(() => new FoldedRows(shape.size, closed), [shape, closed]);
  const height = useMemo(rowHeight, [shape]);
  const made = useMade<string>();
  const list = useVirtualRows(scroller, listed.length, height);
  const active = listed.lineOf(activeFold ?? selected ?? 0);

  // A fold that was opened for the selected row stays open.
  useEffect(() => {
    const fold = shape.folds.find(({ start, end }) => isWithin(selected, start, end));
    if (fold !== undefined) setUnfolded((before) => new Set([...before, fold.start]));
    setActiveFold(undefined);
  }, [selected, shape]);
  useLayoutEffect(() => {
    if (selected !== undefined) list.scrollTo(listed.lineOf(selected), "auto");
  }, [selected, shape]);

  useLayoutEffect(() => {
    if (target !== undefined) list.scrollTo(listed.lineOf(target.row), "start");
  }, [target]);

  const unfold = (start: number): void => setUnfolded((before) => new Set([...before, start]));
  const goTo = (line: number): void => {
    const place = Math.max(0, Math.min(listed.length - 1, line));
    const { row, fold } = listed.at(place);
    setActiveFold(fold === undefined ? undefined : row);
    if (fold === undefined) actions.select(row, true);
    list.scrollTo(place);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(selected === undefined && activeFold === undefined ? 0 : active + 1),
      ArrowUp: () => goTo(active - 1),
      PageDown: () => goTo(active + page),
      PageUp: () => goTo(active - page),
      Home: () => goTo(0),
      End: () => goTo(listed.length - 1),
      ArrowRight: () => activeFold !== undefined && unfold(activeFold),
      Enter: () => (activeFold === undefined ? actions.enter() : unfold(activeFold)),
      " ": () => activeFold !== undefined && unfold(activeFold),
    };
    const step = steps[event.key];
    if (step !== undefined) step();
    else if (event.key !== "Escape" || !actions.leave()) return;
    event.preventDefault();
  };

  const onClick = ({ target: clicked }: MouseEvent): void => {
    const line = clicked instanceof Element ? clicked.closest<HTMLElement>("[role=option]") : undefined;
    const { row, fold } = line?.dataset ?? {};
    if (fold !== undefined) unfold(Number(fold));
    else if (row !== undefined) actions.select(Number(row), false);
  };

  const isNarrow = matchMedia("(max-width: 640px)").matches;
  const pitch = isNarrow ? NARROW_PITCH : PITCH;
  const whole = graphWidth(shape.lanes.width, pitch);
  const room = scroller.current?.clientWidth ?? innerWidth;
  const width = Math.min(whole, Math.max(graphWidth(2, pitch), Math.floor(room * MOST_WIDTH)));
  const first = list.rows[0]?.index ?? 0;
  const last = list.rows.at(-1)?.index ?? -1;
  const shown: Listed[] = [];
  for (let line = first; line <= last && line < listed.length; line++) shown.push(listed.at(line));
  const drawn = useMemo(
    () => drawnRows(shape, lines, shown, selected, first === 0 ? undefined : listed.at(first - 1)),
    [shape, lines, listed, first, last, selected],
  );
  const lineOf = ({ row, end, fold }: Listed, line: number, words: HistoryRow | undefined) => {
    const place = { line, top: line * height, count: listed.length, isActive: line === active, hasDates };
    const colour = shape.colours[row] ?? 6;
    if (fold !== undefined)
      return <FoldLine key={`fold ${row}`} {...place} fold={fold} hidden={end - row} colour={colour} />;
    return (
      <RowLine
        key={row}
        {...place}
        row={row}
        words={words}
        colour={colour}
        marks={shape.marks[row] ?? 0}
        parents={(shape.parentsFrom[row + 1] ?? 0) - (shape.parentsFrom[row] ?? 0)}
        stubs={lines.stubs(row)}
        isSelected={row === selected}
      />
    );
  };
  return (
    <div
      class={`graph history-graph ${hasAuthors ? "" : "without-authors"}`}
      style={{ "--gw": `${width}px` }}
    >
      {whole > width && (
        <section
          class="lane-scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls is reached by keys
          tabIndex={0}
          aria-label="Lanes, to scroll sideways"
          onScroll={({ currentTarget }) => setShift(currentTarget.scrollLeft)}
        >
          <div style={{ width: `${whole}px` }} />
        </section>
      )}
      <div
        class="scroller history-list"
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label="History, newest first"
        aria-activedescendant={`line-${active}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        style={{ height: `min(${listed.length * height}px, max(18rem, calc(100vh - 25rem)))` }}
      >
        <div class="lines" style={{ height: `${list.height}px` }} role="presentation">
          <LaneCanvas
            top={first * height}
            rows={drawn.rows}
            above={drawn.above}
            lanes={shape.lanes.width}
            rowHeight={height}
            pitch={pitch}
            width={width}
            shift={whole > width ? shift : 0}
          />
          {shown.map((one, at) => {
            const line = first + at;
            const words = one.fold === undefined ? wordsOf(one.row) : undefined;
            const facts = [listed, words, line === active, one.row === selected, height];
            return made.get(`${one.row} ${one.end}`, facts, () => lineOf(one, line, words));
          })}
        </div>
      </div>
    </div>
  );
}

function isWithin(row: number | undefined, start: number, end: number): boolean {
  return row !== undefined && row >= start && row < end;
}

/** The rows of a graph, newest first, with the graph beside them. */
import "./graph.css";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Fold } from "../../worker/history/folds.js";
import { useMade } from "../made.js";
import { rowHeight, useRowWindow } from "../row-window.js";
import { graphWidth, NARROW_PITCH, PITCH } from "./draw.js";
import { type DrawnGraph, drawnRows, type LookOf } from "./drawn-rows.js";
import type { Listed } from "./folded-rows.js";
import { LaneCanvas } from "./lane-canvas.js";
import { LaneLines } from "./lane-lines.js";
import { useFolds } from "./use-folds.js";

/** The most of the list's width that the lanes may take, on wide and on narrow pages. */
const [MOST_WIDTH, NARROW_MOST_WIDTH] = [0.4, 0.25];

/** The actions of keys and clicks. */
export interface ListActions {
  /** Selects a row. `isStep`: as one step of many, which the way back skips. */
  select(row: number, isStep: boolean): void;
  /** Opens the selected row. */
  enter(): void;
  /** Ends the selection. False without a selection. */
  leave(): boolean;
}

/** A line of the list with its place. */
export interface PlacedLine {
  /** The place in the list. */
  readonly line: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** Lines of the list. */
  readonly count: number;
  /** True if keys act on it. */
  readonly isActive: boolean;
}

/** A row of the list. */
export interface PlacedRow<W> extends PlacedLine {
  readonly row: number;
  /** Undefined until they are read. */
  readonly words: W | undefined;
  /** The number of its parents. */
  readonly parents: number;
  /** The number of these that the database lacks. */
  readonly stubs: number;
  readonly isSelected: boolean;
}

/** A folded run in the list. */
export interface PlacedFold extends PlacedLine {
  readonly fold: Fold;
  /** Rows that it stands for. */
  readonly hidden: number;
}

/** The list. */
export function GraphList<W>({
  graph,
  lookOf,
  selected,
  target,
  wordsOf,
  actions,
  label,
  rowLine,
  foldLine,
  hasAuthors,
}: {
  graph: DrawnGraph;
  /** The same function while the graph stays. */
  lookOf: LookOf;
  /** The selected row. */
  selected: number | undefined;
  /** A row that is brought into sight, without being selected. */
  target: { readonly row: number } | undefined;
  /** The words of a row. Looking them up requests them. */
  wordsOf: (row: number) => W | undefined;
  actions: ListActions;
  /** The label of the list. */
  label: string;
  rowLine: (row: PlacedRow<W>) => JSX.Element;
  foldLine: (fold: PlacedFold) => JSX.Element;
  /** True if authors have a column. Sentences about operations begin with the author instead. */
  hasAuthors: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const { listed, active: activeFold, setActive: setActiveFold, unfold } = useFolds(graph, selected);
  const [shift, setShift] = useState(0);
  const lines = useMemo(() => new LaneLines(graph, graph.lanes), [graph]);
  const height = useMemo(() => rowHeight(), [graph]);
  const made = useMade<string>();
  const list = useRowWindow(scroller, listed.length, height);
  const active = listed.lineOf(activeFold ?? selected ?? 0);

  useLayoutEffect(() => {
    if (selected !== undefined) list.reveal(listed.lineOf(selected));
  }, [selected, graph]);

  useLayoutEffect(() => {
    if (target !== undefined) list.reveal(listed.lineOf(target.row), "start");
  }, [target]);

  const goTo = (line: number): void => {
    const place = Math.max(0, Math.min(listed.length - 1, line));
    const { row, fold } = listed.at(place);
    setActiveFold(fold === undefined ? undefined : row);
    if (fold === undefined) actions.select(row, true);
    list.reveal(place);
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

  const { pitch, whole, width } = widthsOf(graph.lanes.width, scroller.current?.clientWidth ?? innerWidth);
  const { first, above } = list;
  const end = first + list.count;
  const shown: Listed[] = [];
  for (let line = first; line < end; line++) shown.push(listed.at(line));
  const drawn = useMemo(
    () => drawnRows(graph, lookOf, lines, shown, selected, first === 0 ? undefined : listed.at(first - 1)),
    [graph, lines, listed, first, end, selected],
  );
  const lineOf = ({ row, end, fold }: Listed, line: number, words: W | undefined) => {
    const place = {
      line,
      top: above + (line - first) * height,
      count: listed.length,
      isActive: line === active,
    };
    if (fold !== undefined) return foldLine({ ...place, fold, hidden: end - row });
    return rowLine({
      ...place,
      row,
      words,
      parents: (graph.parentsFrom[row + 1] ?? 0) - (graph.parentsFrom[row] ?? 0),
      stubs: lines.stubs(row),
      isSelected: row === selected,
    });
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
        aria-label={label}
        aria-activedescendant={`line-${active}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        style={{ height: `min(${listed.length * height}px, max(18rem, calc(100vh - 25rem)))` }}
      >
        <div class="lines" style={{ height: `${list.height}px` }} role="presentation">
          <LaneCanvas
            top={above}
            rows={drawn.rows}
            above={drawn.above}
            lanes={graph.lanes.width}
            rowHeight={height}
            pitch={pitch}
            width={width}
            shift={whole > width ? shift : 0}
          />
          {shown.map((one, at) => {
            const line = first + at;
            const words = one.fold === undefined ? wordsOf(one.row) : undefined;
            const top = above + at * height;
            const facts = [listed, lookOf, words, line === active, one.row === selected, top, height];
            return made.get(`${one.row} ${one.end}`, facts, () => lineOf(one, line, words));
          })}
        </div>
      </div>
    </div>
  );
}

/** Pixels from lane to lane, of all lanes, and of their part in the list. */
function widthsOf(lanes: number, room: number): Readonly<Record<"pitch" | "whole" | "width", number>> {
  const isNarrow = matchMedia("(max-width: 640px)").matches;
  const pitch = isNarrow ? NARROW_PITCH : PITCH;
  const whole = graphWidth(lanes, pitch);
  const most = Math.floor(room * (isNarrow ? NARROW_MOST_WIDTH : MOST_WIDTH));
  return { pitch, whole, width: Math.min(whole, Math.max(graphWidth(2, pitch), most)) };
}

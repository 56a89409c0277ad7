/** The rows of a kind for the grid: their number, and pages of rows as they come into sight. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { moment, secretsRevealed } from "../../page/session.js";
import { type Answer, type AnswerError, ask } from "../../page/worker-client.js";
import type { RowOrder } from "../../worker/rows/choice.js";

/** Rows of a page, which are requested together. */
const PAGE = 50;
/** The most pages that are kept. */
const KEPT = 80;
/** Pages that are requested at a time. Pages that have been scrolled past meanwhile are not requested. */
const AT_A_TIME = 2;
/** Rows that are requested beyond the drawn rows. */
const AHEAD = 40;

export type Grid = Answer<"rows">;
export type GridRow = Answer<"rowPage">[number];

/** The pages of a grid. */
interface Pages {
  /** The moment of the rows, and whether they have secrets. */
  readonly of: string;
  readonly rows: Map<number, readonly GridRow[]>;
  readonly asked: Set<number>;
  /** Pages that could not be read: they are not requested again. */
  readonly failed: Set<number>;
  /** The wanted pages, the most important first. */
  wanted: number[];
}

function noPages(of: string): Pages {
  return { of, rows: new Map(), asked: new Set(), failed: new Set(), wanted: [] };
}

/** The state of a grid. */
export interface GridRows {
  readonly grid: Grid | undefined;
  /** Rows that the first scan has read so far. */
  readonly read: number;
  readonly error: AnswerError | undefined;
  /** The row with a number, if it is read. */
  row(index: number): GridRow | undefined;
  /** Returns whether a row could not be read. */
  isLost(index: number): boolean;
  /** Asks for the rows in sight. */
  want(first: number, count: number): void;
}

/** Opens the rows of a kind with the given leading parts, in an order. */
export function useGrid(
  kind: string,
  parts: Readonly<Record<string, string>>,
  order: RowOrder | undefined,
): GridRows {
  const [grid, setGrid] = useState<Grid>();
  const [read, setRead] = useState(0);
  const [error, setError] = useState<AnswerError>();
  const [, redraw] = useState(0);
  const now = moment.value;
  const reveal = secretsRevealed.value;
  const choice = { kind, parts, order };
  const wanted = JSON.stringify([choice, now, reveal]);
  const kept = useRef(noPages(wanted));
  // Here, not in an effect: hidden secrets must not be drawn once more.
  if (kept.current.of !== wanted) kept.current = noPages(wanted);
  useEffect(() => {
    let current = true;
    setError(undefined);
    ask("a", "rows", choice, reveal, (rows: number) => current && setRead(rows)).then(
      (answer) => current && setGrid(answer),
      (failure: unknown) => current && setError(failure as AnswerError),
    );
    return () => {
      current = false;
    };
  }, [wanted]);

  const want = useCallback(
    (first: number, count: number) => {
      const pages = kept.current;
      const [from, to] = [Math.max(0, first - AHEAD), first + count + AHEAD];
      const inSight = Math.floor((first + count / 2) / PAGE);
      pages.wanted = [];
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++) pages.wanted.push(page);
      pages.wanted.sort((a, b) => Math.abs(a - inSight) - Math.abs(b - inSight));
      askForMore(pages);
    },
    [wanted],
  );

  function askForMore(pages: Pages): void {
    const { rows, asked, failed, wanted } = pages;
    const page = wanted.find((one) => !rows.has(one) && !asked.has(one) && !failed.has(one));
    if (page === undefined || asked.size >= AT_A_TIME) return;
    asked.add(page);
    ask("a", "rowPage", choice, page * PAGE, PAGE, reveal)
      .then((found) => {
        if (kept.current !== pages) return;
        asked.delete(page);
        rows.set(page, found);
        // The oldest pages are far from the rows in sight.
        for (const old of [...rows.keys()].slice(0, Math.max(0, rows.size - KEPT)))
          if (!pages.wanted.includes(old)) rows.delete(old);
        redraw((n) => n + 1);
        askForMore(pages);
      })
      .catch((failure: unknown) => {
        if (kept.current !== pages) return;
        asked.delete(page);
        failed.add(page);
        setError(failure as AnswerError);
        askForMore(pages);
      });
    askForMore(pages);
  }

  return {
    ...{ grid, read, error, want },
    isLost: (index) => kept.current.failed.has(Math.floor(index / PAGE)),
    row: (index) => kept.current.rows.get(Math.floor(index / PAGE))?.[index % PAGE],
  };
}

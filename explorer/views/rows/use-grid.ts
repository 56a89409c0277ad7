/** The rows of a kind as the grid needs them: the whole by numbers, pages as they come into sight. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { moment, secretsRevealed } from "../../page/session.js";
import { type Answer, type AnswerError, ask } from "../../page/worker-client.js";

/** Rows that are asked for together. */
const PAGE = 100;
/** Pages that are kept. */
const KEPT = 40;

export type Grid = Answer<"rows">;
export type GridRow = Answer<"rowPage">[number];

/** The state of a grid. */
export interface GridRows {
  readonly grid: Grid | undefined;
  /** Rows that the first scan has read so far. */
  readonly read: number;
  readonly error: AnswerError | undefined;
  /** The row of a number, if it is there. */
  row(index: number): GridRow | undefined;
  /** Asks for the rows in sight. */
  want(first: number, count: number): void;
}

/** Opens the rows of a kind, those with the given leading parts. */
export function useGrid(kind: string, parts: Readonly<Record<string, string>>): GridRows {
  const [grid, setGrid] = useState<Grid>();
  const [read, setRead] = useState(0);
  const [error, setError] = useState<AnswerError>();
  const [, redraw] = useState(0);
  const pages = useRef(new Map<number, readonly GridRow[]>());
  const asked = useRef(new Set<number>());
  const now = moment.value;
  const reveal = secretsRevealed.value;
  const choice = { kind, parts };
  useEffect(() => {
    let current = true;
    pages.current = new Map();
    asked.current = new Set();
    ask("a", "rows", choice, reveal, (rows: number) => current && setRead(rows)).then(
      (answer) => current && setGrid(answer),
      (failure: unknown) => current && setError(failure as AnswerError),
    );
    return () => {
      current = false;
    };
  }, [JSON.stringify(choice), now, reveal]);

  const want = useCallback(
    (first: number, count: number) => {
      const known = pages.current;
      for (let page = Math.floor(first / PAGE); page <= Math.floor((first + count) / PAGE); page++) {
        if (known.has(page) || asked.current.has(page)) continue;
        asked.current.add(page);
        ask("a", "rowPage", choice, page * PAGE, PAGE, reveal)
          .then((rows) => {
            if (pages.current !== known) return;
            known.set(page, rows);
            // The oldest pages are far from what is in sight.
            for (const old of [...known.keys()].slice(0, Math.max(0, known.size - KEPT))) {
              known.delete(old);
              asked.current.delete(old);
            }
            redraw((n) => n + 1);
          })
          .catch((failure: unknown) => setError(failure as AnswerError));
      }
    },
    [JSON.stringify(choice), now, reveal],
  );
  return {
    ...{ grid, read, error, want },
    row: (index) => pages.current.get(Math.floor(index / PAGE))?.[index % PAGE],
  };
}

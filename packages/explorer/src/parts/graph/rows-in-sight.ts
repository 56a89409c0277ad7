/** The words of the rows in sight, requested in pages. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { moment } from "../../page/session.js";

/** Rows of a page. */
const PAGE = 64;
/** The most pages that are kept. */
const MOST = 80;
/** After this number of failures, pages are not requested again. */
const TRIES = 3;
/** Milliseconds that a page must be in sight before it is requested: dragging passes many pages. */
const STILL = 60;

/** The words of a row; undefined until they are read. */
export type WordsOf<W> = (row: number) => W | undefined;

/**
 * Words of a history. Looking up a row while the history is drawn requests its words.
 *
 * @param what the owner of the history, as text
 * @param askFor requests the words of the rows from one to another, which is left out
 */
export function useRowWords<W>(
  what: string,
  size: number,
  askFor: (from: number, to: number) => Promise<readonly W[]>,
): WordsOf<W> {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const pages = useRef(new Map<number, readonly W[]>());
  /** Pages that any component has looked up since the last request. */
  const wanted = useRef(new Set<number>());
  const failures = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isAsking = useRef(false);
  /** The functions of the last render: a later request reads the history as it is then. */
  const latest = useRef({ size, askFor });
  latest.current = { size, askFor };
  const now = moment.value;
  useEffect(() => {
    pages.current = new Map();
    failures.current = 0;
    draw(0);
  }, [what, now]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const next = async (): Promise<void> => {
    timer.current = undefined;
    const kept = pages.current;
    const page = [...wanted.current].findLast((one) => !kept.has(one));
    wanted.current.clear();
    if (page === undefined) return;
    isAsking.current = true;
    try {
      const { size, askFor } = latest.current;
      kept.set(page, await askFor(page * PAGE, Math.min(size, (page + 1) * PAGE)));
      failures.current = 0;
      const [oldest] = kept.keys();
      if (kept.size > MOST) kept.delete(oldest as number);
    } catch {
      // After that the rows keep no words. The selected row shows the error.
      if (++failures.current >= TRIES) kept.set(page, []);
    }
    isAsking.current = false;
    draw(0); // looks the rows in sight up again
  };
  return (row) => {
    const page = Math.floor(row / PAGE);
    const rows = pages.current.get(page);
    if (rows === undefined) {
      wanted.current.add(page);
      if (!isAsking.current) timer.current ??= setTimeout(() => void next(), STILL);
    }
    return rows?.[row - page * PAGE];
  };
}

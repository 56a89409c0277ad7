/** The words of the rows in sight, asked for in pages. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { moment } from "../../page/session.js";

/** Rows of a page. */
const PAGE = 64;
/** Pages that are kept. */
const MOST = 80;
/** Milliseconds for which a page is in sight before it is asked for: dragging passes many. */
const STILL = 60;

/** The words of a row; undefined while they are on their way. */
export type WordsOf<W> = (row: number) => W | undefined;

/**
 * Words of a history. Rows that are looked up while it is drawn are asked for.
 *
 * @param what whose history it is
 * @param askFor asks for the words of the rows from one on, to another one, which is left out
 */
export function useRowWords<W>(
  what: string,
  size: number,
  askFor: (from: number, to: number) => Promise<readonly W[]>,
): WordsOf<W> {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const pages = useRef(new Map<number, readonly W[]>());
  const wanted = useRef(new Set<number>());
  const isAsking = useRef(false);
  const now = moment.value;
  useEffect(() => {
    pages.current = new Map();
    draw(0);
  }, [what, now]);
  wanted.current = new Set();
  useEffect(() => {
    let current = true;
    const next = async (): Promise<void> => {
      if (!current || isAsking.current) return;
      const page = [...wanted.current].find((one) => !pages.current.has(one));
      if (page === undefined) return;
      isAsking.current = true;
      const kept = pages.current;
      try {
        const rows = await askFor(page * PAGE, Math.min(size, (page + 1) * PAGE));
        kept.set(page, rows);
        const [oldest] = kept.keys();
        if (kept.size > MOST) kept.delete(oldest as number);
      } catch {
        // The rows keep no words. The selected row shows the error.
        kept.set(page, []);
      } finally {
        isAsking.current = false;
      }
      draw(0);
    };
    const timer = setTimeout(() => void next(), STILL);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  });
  return (row) => {
    const page = Math.floor(row / PAGE);
    wanted.current.add(page);
    return pages.current.get(page)?.[row - page * PAGE];
  };
}

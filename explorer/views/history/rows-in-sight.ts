/** The words of the rows in sight, asked for in pages. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { moment } from "../../page/session.js";
import { ask } from "../../page/worker-client.js";
import type { HistoryOf } from "../../worker/history.js";
import type { HistoryRow } from "../../worker/history-rows.js";

/** Rows of a page. */
const PAGE = 64;
/** Pages that are kept. */
const MOST = 80;
/** Milliseconds for which a page is in sight before it is asked for: dragging passes many. */
const STILL = 60;

/** The words of a row; undefined while they are on their way. */
export type WordsOf = (row: number) => HistoryRow | undefined;

/** Words of a history. Rows that are looked up while it is drawn are asked for. */
export function useRowWords(of: HistoryOf, id: string, size: number): WordsOf {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const pages = useRef(new Map<number, readonly HistoryRow[]>());
  const wanted = useRef(new Set<number>());
  const isAsking = useRef(false);
  const now = moment.value;
  useEffect(() => {
    pages.current = new Map();
    draw(0);
  }, [of, id, now]);
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
        const rows = await ask("a", "historyRows", of, id, page * PAGE, Math.min(size, (page + 1) * PAGE));
        kept.set(page, rows);
        const [oldest] = kept.keys();
        if (kept.size > MOST) kept.delete(oldest as number);
      } catch {
        // The rows stay without words; what the database refuses is said where a row is selected.
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

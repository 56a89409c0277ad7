/** The open rows of a state, and their loaded rows. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageOf } from "../../page/message-of.js";
import { type Answer, ask } from "../../page/worker-client.js";
import { type Loaded, opensItself, type StateRow } from "./tree-lines.js";

/** Rows that are loaded at a time. */
export const PAGE = 100;

/** The present tree, and its actions. */
export interface StateTree {
  readonly loaded: ReadonlyMap<string, Loaded>;
  readonly open: ReadonlySet<string>;
  /** Opens or closes a row, or the heading of a group. */
  toggle(key: string): void;
  /** Opens rows by their keys. */
  reveal(keys: readonly string[]): void;
  /** Loads more of the rows in a row. */
  more(row: StateRow): void;
}

/** The open rows of each context, while the page is open. */
const kept = new Map<string, ReadonlySet<string>>();

/** The tree of a context. */
export function useStateTree(
  contextId: string,
  revealed: boolean,
  root: Answer<"stateRoot"> | undefined,
): StateTree {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => kept.get(contextId) ?? new Set());
  const [loaded, setLoaded] = useState<ReadonlyMap<string, Loaded>>(new Map());
  const budget = useRef(0);
  const isFirst = useRef(!kept.has(contextId));
  /** The number of the present state: answers about an earlier state are dropped. */
  const era = useRef(0);
  /** Rows whose own rows were requested in the present state. */
  const asked = useRef(new Set<string>());

  const change = (next: ReadonlySet<string>) => {
    kept.set(contextId, next);
    setOpen(next);
  };
  const load = (row: Pick<StateRow, "key" | "path" | "struct">, from: number, count: number) => {
    const now = era.current;
    setLoaded((before) => {
      const one = before.get(row.key);
      return one === undefined ? before : new Map(before).set(row.key, { ...one, isLoading: true });
    });
    const put = (answer: Omit<Loaded, "isLoading">) => {
      if (era.current !== now) return;
      setLoaded((before) => {
        const had = from === 0 ? [] : (before.get(row.key)?.rows ?? []);
        return new Map(before).set(row.key, { ...answer, rows: [...had, ...answer.rows], isLoading: false });
      });
      if (isFirst.current) openByThemselves(answer.rows);
    };
    ask("a", "stateChildren", contextId, revealed, row.path, row.struct, from, count).then(
      put,
      (error: unknown) =>
        put({
          rows: [],
          total: 0,
          isSorted: true,
          problem: {
            name: "This could not be read",
            message: messageOf(error),
            bytes: undefined,
            size: 0,
          },
        }),
    );
  };
  const openByThemselves = (rows: readonly StateRow[]) => {
    const found = rows.filter((row) => {
      if (!opensItself(row, budget.current)) return false;
      budget.current += row.opens ?? 0;
      return true;
    });
    if (found.length === 0) return;
    setOpen((before) => {
      const next = new Set([...before, ...found.map(({ key }) => key)]);
      kept.set(contextId, next);
      return next;
    });
  };

  // The state has changed: every open part is loaded again. The old rows stay until then.
  useEffect(() => {
    era.current++;
    asked.current.clear();
    if (root === undefined || !isFirst.current) return;
    budget.current = root.rows.length;
    openByThemselves(root.rows);
  }, [contextId, revealed, root]);

  const rows = useMemo(() => {
    const all = new Map<string, StateRow>();
    for (const row of [...(root?.rows ?? []), ...(root?.privateStructs.flatMap((one) => one.rows) ?? [])])
      all.set(row.key, row);
    for (const { rows } of loaded.values()) for (const row of rows) all.set(row.key, row);
    return all;
  }, [root, loaded]);

  useEffect(() => {
    for (const key of open) {
      const row = rows.get(key);
      if (row === undefined || asked.current.has(key)) continue;
      asked.current.add(key);
      load(row, 0, Math.max(PAGE, loaded.get(key)?.rows.length ?? 0));
    }
  }, [open, rows, loaded]);

  return {
    loaded,
    open,
    toggle(key) {
      isFirst.current = false;
      const next = new Set(open);
      if (!next.delete(key)) next.add(key);
      change(next);
    },
    reveal(keys) {
      if (keys.every((key) => open.has(key))) return;
      change(new Set([...open, ...keys]));
    },
    more(row) {
      const one = loaded.get(row.key);
      if (one !== undefined && !one.isLoading) load(row, one.rows.length, PAGE);
    },
  };
}

/** The folded runs of a graph in a list. */

import { graphId } from "merostore/node";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Fold } from "../../worker/history/folds.js";
import type { DrawnGraph } from "./drawn-rows.js";
import { FoldedRows } from "./folded-rows.js";

/** The folded runs, and the functions that open them. */
export interface Folds {
  /** The lines of the list. */
  readonly listed: FoldedRows;
  /** The first row of the folded run that keys act on, instead of the selected row. */
  readonly active: number | undefined;
  /** Moves the keys to a folded run; undefined for the selected row. */
  readonly setActive: (start: number | undefined) => void;
  /** Opens the folded run that begins with a row. */
  readonly unfold: (start: number) => void;
}

/** Folds the runs of a graph, except the opened runs and the run with the selected row. */
export function useFolds(graph: DrawnGraph, selected: number | undefined): Folds {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<number | undefined>(undefined);
  const closed = useMemo(
    () => graph.folds.filter((fold) => !unfolded.has(idOfFold(graph, fold)) && !isWithin(selected, fold)),
    [graph, unfolded, selected],
  );
  const listed = useMemo(() => new FoldedRows(graph.size, closed), [graph, closed]);
  const open = (fold: Fold): void => setUnfolded((before) => new Set([...before, idOfFold(graph, fold)]));
  // A fold that was opened for the selected row stays open.
  useEffect(() => {
    const fold = graph.folds.find((one) => isWithin(selected, one));
    if (fold !== undefined) open(fold);
    setActive(undefined);
  }, [selected, graph]);
  const unfold = (start: number): void => {
    const fold = closed.find((one) => one.start === start);
    if (fold !== undefined) open(fold);
  };
  return { listed, active, setActive, unfold };
}

/** The oldest hidden row identifies a fold: newer rows change the numbers of rows and the beginning of the fold. */
function idOfFold(graph: DrawnGraph, { end }: Fold): string {
  return graphId(graph, end - 1);
}

function isWithin(row: number | undefined, { start, end }: Fold): boolean {
  return row !== undefined && row >= start && row < end;
}

/** The comparison of the two open databases. It runs while its view is open, once for each pair. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf } from "./message-of.js";
import { databases, written } from "./session.js";
import { askBothApart, type Compared, type ComparisonReport } from "./worker-client.js";

/** The state of the comparison. */
export interface Comparison {
  readonly state: "waiting" | "running" | "done" | "failed";
  /** The differences so far. */
  readonly found: ComparisonReport;
  /** The result; undefined until the end. */
  readonly compared: Compared | undefined;
  /** The reason if it ended early. */
  readonly message: string | undefined;
  /** The rows that were {@link written} when it began. */
  readonly began: number;
}

const WAITING: Comparison = {
  state: "waiting",
  found: { read: 0, kinds: [] },
  compared: undefined,
  message: undefined,
  began: 0,
};

/** The comparison. */
export const comparison = signal<Comparison>(WAITING);

let running = new AbortController();
/** The databases of the comparison. */
let of: readonly unknown[] = [];

/** Compares the databases while the view is open. The result stays for the next time. */
export function useComparison(): Comparison {
  const { a, b } = databases.value;
  const known = comparison.value;
  useEffect(() => {
    if (a === undefined || b === undefined) return;
    const isSame = of[0] === a && of[1] === b;
    if (!isSame || comparison.peek().state !== "done") void compareNow();
    return () => running.abort();
  }, [a, b]);
  return of[0] === a && of[1] === b ? known : WAITING;
}

/** Compares the databases. */
export async function compareNow(): Promise<void> {
  running.abort();
  const own = new AbortController();
  running = own;
  const { a, b } = databases.peek();
  of = [a, b];
  const began = written.peek();
  comparison.value = { ...WAITING, state: "running", began };
  const keep = (work: Partial<Comparison>): void => {
    if (!own.signal.aborted) comparison.value = { ...comparison.peek(), ...work };
  };
  try {
    const compared = await askBothApart(own.signal, "compare", (found) => keep({ found }));
    keep({ state: "done", found: compared, compared });
  } catch (error) {
    keep({ state: "failed", message: messageOf(error) });
  }
}

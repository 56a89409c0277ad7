/**
 * Finds the misplaced batches of a damaged log. Sequence numbers rise in a log. A block that a disk wrote to a wrong
 * place may have higher numbers than the batches after it. Without a look ahead, those later batches would seem
 * misplaced.
 */

/** Batches that follow each other in a log without a gap in their sequence numbers. */
interface Run {
  /** The number of batches before it in the log. */
  readonly start: number;
  /** The sequence number of its first change. */
  readonly first: number;
  /** The sequence number after its last change. */
  after: number;
}

/** Beyond this number of runs, each batch is compared only with those before it. */
const MOST_RUNS = 4096;

/** Collects the sequence numbers of all batches of a log. */
export class BatchOrder {
  readonly #runs: Run[] = [];
  #count = 0;

  /**
   * Adds the next batch: its first sequence number, and the number of its changes; 0 for bytes that are not a batch.
   */
  add(first: number, changes: number): void {
    const start = this.#count++;
    if (changes === 0) return;
    const last = this.#runs.at(-1);
    if (last?.after === first) last.after += changes;
    else if (this.#runs.length <= MOST_RUNS) this.#runs.push({ start, first, after: first + changes });
  }

  /**
   * Returns a function that tells whether a batch, by its number from 0, is misplaced. The batches in place have as
   * many changes as possible.
   */
  outOfPlace(): (batch: number) => boolean {
    const runs = this.#runs;
    if (runs.length > MOST_RUNS || runs.every(({ first }, at) => first >= (runs[at - 1]?.after ?? 0)))
      return () => false;
    const kept = keptOf(runs);
    let at = 0;
    return (batch) => {
      while (at + 1 < runs.length && (runs[at + 1] as Run).start <= batch) at++;
      return !kept.has(at);
    };
  }
}

/** Returns the runs with the most changes together, by number. Each of them ends after the previous one. */
function keptOf(runs: readonly Run[]): ReadonlySet<number> {
  /** For each run, the most changes up to its end, and the run before it. */
  const most: number[] = [];
  const before: number[] = [];
  for (const [at, { first, after }] of runs.entries()) {
    let [best, from] = [after - first, -1];
    for (let other = 0; other < at; other++) {
      const end = (runs[other] as Run).after;
      // Changes that are in both runs count once.
      const sum = (most[other] as number) + after - Math.max(first, end);
      if (end < after && sum > best) [best, from] = [sum, other];
    }
    most.push(best);
    before.push(from);
  }
  const kept = new Set<number>();
  for (let at = most.indexOf(Math.max(...most)); at >= 0; at = before[at] as number) kept.add(at);
  return kept;
}

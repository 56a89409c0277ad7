/** Returns a function that calls `report`, but not again until some milliseconds later. */
export function atMostEvery(milliseconds: number, report: () => void): () => void {
  let reported = performance.now();
  return () => {
    if (performance.now() - reported < milliseconds) return;
    reported = performance.now();
    report();
  };
}

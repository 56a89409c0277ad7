/** The pause that long work makes from time to time: it pauses, so that other questions are answered, and it reports. */

/** Milliseconds for which work goes on before it pauses. */
const WORKS = 20;

/** Work that pauses now and then. */
export class Pauses {
  #begun = performance.now();

  /** Lets others work if it is time. */
  async now(): Promise<void> {
    if (performance.now() - this.#begun < WORKS) return;
    await new Promise<void>((goOn) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        goOn();
      };
      port2.postMessage(0);
    });
    this.#begun = performance.now();
  }
}

/** Returns what reports, but not again until some milliseconds later. */
export function atMostEvery(milliseconds: number, report: () => void): () => void {
  let reported = performance.now();
  return () => {
    if (performance.now() - reported < milliseconds) return;
    reported = performance.now();
    report();
  };
}

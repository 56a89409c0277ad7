/** Waiting between the steps of background work. */
export class Pauses {
  readonly #resume = new Set<() => void>();
  #ended = false;

  /** Settles after so many milliseconds, or when the pauses end. It keeps no process running. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        this.#resume.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      timer.unref();
      this.#resume.add(resume);
    });
  }

  /** Ends all pauses, those to come included. */
  end(): void {
    this.#ended = true;
    for (const resume of this.#resume) resume();
  }
}

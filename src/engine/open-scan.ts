import type { Closable, Lifecycle } from "./lifecycle.js";

/** A scan under way. Its reader closes it when it closes itself, and waits for the read that is under way. */
export class OpenScan implements Closable {
  readonly #life: Lifecycle;
  readonly #release: () => void | Promise<void>;
  #step: unknown;
  #close: (() => void | Promise<void>) | undefined;
  #closing: Promise<void> | undefined;

  /** @param release called when the scan is closed, after what {@link onClose} set */
  constructor(life: Lifecycle, release: () => void | Promise<void>) {
    this.#life = life;
    this.#release = release;
    life.own(this);
  }

  /** Notes the step of the scan that is under way, which closing waits for, and returns it. */
  step<T>(step: T): T {
    this.#step = step;
    return step;
  }

  /** Sets what closes the source of the rows. */
  onClose(close: () => void | Promise<void>): void {
    this.#close = close;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      if (this.#step instanceof Promise) await this.#step.catch(() => undefined); // the iteration has its error
      await this.#close?.();
    } finally {
      this.#life.disown(this);
      await this.#release();
    }
  }
}

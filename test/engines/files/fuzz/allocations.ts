/** Measures allocations: a hostile length must not become memory. */

const kinds = ["ArrayBuffer", "Uint8Array", "Uint32Array", "Float64Array"] as const;

/** Bytes that one array, and all of one case together, may have. */
export interface MemoryLimits {
  readonly single: number;
  readonly growth: number;
}

/** Measures every array that is made with a length, from the call on until `stop()`. */
export class Allocations {
  readonly #originals = kinds.map((kind) => [kind, globalThis[kind]] as const);
  #largest = 0;
  #before = 0;

  constructor() {
    for (const [kind, original] of this.#originals) {
      const each = "BYTES_PER_ELEMENT" in original ? original.BYTES_PER_ELEMENT : 1;
      const construct = (target: typeof original, args: unknown[]): object => {
        const [length] = args;
        if (typeof length === "number" && length * each > this.#largest) this.#largest = length * each;
        return Reflect.construct(target, args) as object;
      };
      Object.assign(globalThis, {
        [kind]: new Proxy(original, { construct } as ProxyHandler<typeof original>),
      });
    }
  }

  begin(): void {
    this.#largest = 0;
    this.#before = inUse();
  }

  /** @throws Error when the case since `begin` has taken more */
  check({ single, growth }: MemoryLimits): void {
    if (this.#largest > single) throw new Error(`an array of ${this.#largest} bytes was made`);
    const grown = inUse() - this.#before;
    if (grown > growth) throw new Error(`${grown} bytes of memory were taken`);
  }

  stop(): void {
    Object.assign(globalThis, Object.fromEntries(this.#originals));
  }
}

function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

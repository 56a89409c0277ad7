/** Counters: the sum that each identity added, and the sum that it subtracted. */
import { StateError } from "../problem.js";
import { formed } from "../types/forms.js";
import { Handle, keyName } from "../types/values.js";
import { StateCollection } from "./collection.js";
import type { StateEntry } from "./scope.js";

/** A counter. Its entries are one slot for each identity, with its sum. */
export class StateCounter extends StateCollection {
  readonly kind = "counter";

  /**
   * Returns the sum of all additions minus the sum of all subtractions. Reads all slots: one for each identity.
   *
   * @throws StateError if the counter or a slot cannot be read
   */
  async value(): Promise<bigint> {
    let sum = 0n;
    for (const [, amount] of await this.slots()) sum += amount;
    return sum;
  }

  /**
   * Returns the sum that each identity added, less the sum that it subtracted, by its id in hexadecimal.
   *
   * @throws StateError if the counter or a slot cannot be read
   */
  async slots(): Promise<ReadonlyMap<string, bigint>> {
    const slots = new Map<string, bigint>();
    for (const [half, sign] of this.#halves()) {
      for await (const { key, value, problem } of half.ownParts()) {
        if (problem !== undefined) throw new StateError(problem);
        const name = keyName(key);
        slots.set(name, (slots.get(name) ?? 0n) + sign * (value as bigint));
      }
    }
    return slots;
  }

  /** @internal */
  override async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    for (const [half] of this.#halves()) yield* half.ownParts();
  }

  /** @internal The slots of this half. */
  ownParts(): AsyncGenerator<StateEntry, void, undefined> {
    return super.parts();
  }

  /** @internal */
  override async belongings(): Promise<readonly Uint8Array[]> {
    const negative = this.negative();
    return negative === undefined ? [this.id] : [this.id, negative.id];
  }

  /** @internal True for the part of a signed counter with the subtracted amounts. */
  get isNegative(): boolean {
    return this.place.half === "negative";
  }

  /** @internal What was subtracted, as a counter of its own; undefined for a counter that only adds. */
  negative(): StateCounter | undefined {
    const { negative } = this.handle;
    if (negative === undefined) return undefined;
    const handle = new Handle(formed({ kind: "counter", signed: false }, this.scope.types.forms), negative);
    // It has a name of its own, and no place of its own.
    return new StateCounter(this.scope, handle, { ...this.place, field: undefined, half: "negative" });
  }

  /** The additions, and the subtractions. */
  #halves(): readonly (readonly [half: StateCounter, sign: bigint])[] {
    const negative = this.negative();
    return [[this, 1n], ...(negative === undefined ? [] : [[negative, -1n] as const])];
  }
}

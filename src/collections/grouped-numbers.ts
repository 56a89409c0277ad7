/** Numbers in groups, in two arrays: a list for each group would take sixty bytes more. */

/** Groups of numbers from 0 to 2^32 - 1. */
export class GroupedNumbers {
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;

  private constructor(starts: Uint32Array, numbers: Uint32Array) {
    this.#starts = starts;
    this.#numbers = numbers;
  }

  /**
   * Groups numbers.
   *
   * @param size the number of groups
   * @param addAll adds all numbers to their groups; it is called twice, first to count them
   */
  static async of(
    size: number,
    addAll: (add: (group: number, number: number) => void) => Promise<void>,
  ): Promise<GroupedNumbers> {
    const ends = new Uint32Array(size + 1);
    await addAll((group) => void ends[group + 1]!++);
    for (let group = 0; group < size; group++) ends[group + 1]! += ends[group] as number;
    const starts = ends.slice();
    const numbers = new Uint32Array(ends[size] as number);
    await addAll((group, number) => {
      numbers[ends[group]!++] = number;
    });
    return new GroupedNumbers(starts, numbers);
  }

  /** Calls with each number of a group: a view for each of many groups would cost more. */
  each(group: number, call: (number: number) => void): void {
    const end = this.#starts[group + 1] as number;
    for (let at = this.#starts[group] as number; at < end; at++) call(this.#numbers[at] as number);
  }

  /** The numbers of a group, as a view. */
  of(group: number): Uint32Array {
    return this.#numbers.subarray(this.#starts[group], this.#starts[group + 1]);
  }
}

/** Values that the questions about ledgers share: keys, the size of values, processor time. */

/** Bytes of a value. */
export const VALUE_SIZE = 1024;

/** The key of a numbered entry: keys are in the order of the numbers. */
export function keyOf(number: number): string {
  return `key${number.toString().padStart(7, "0")}`;
}

/** Milliseconds of processor time of all threads since a moment. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The option --limit. Cut output says that it is cut. */
import type { Terminal } from "./terminal.js";

/** Options of a command whose JSON has an object per line. */
interface Limited {
  readonly limit?: number | undefined;
  readonly json?: boolean | undefined;
}

/** The last line of cut JSON output. */
export const MORE = '{"$more":true}';

/** The number of values to request. For JSON it is one above the limit, to find out whether there are more. */
export function asked({ limit, json = false }: Limited): number | undefined {
  return limit === undefined || !json ? limit : limit + 1;
}

/** Passes on as many values as the limit allows. If there are more, JSON ends with {@link MORE}. */
export async function* upTo<T>(
  terminal: Terminal,
  { limit = Number.POSITIVE_INFINITY, json = false }: Limited,
  values: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  let left = limit;
  if (left === 0 && !json) return;
  for await (const value of values) {
    if (left === 0) {
      await terminal.line(MORE);
      return;
    }
    yield value;
    if (--left === 0 && !json) return;
  }
}

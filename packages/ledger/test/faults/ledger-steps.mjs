// The steps of a ledger's writer, and the page after each: both go by the number of the step alone.

/** Entries that a step puts (texts) and removes (null); `clear` removes all others. */
export function stepOf(number) {
  const changes = new Map();
  const key = (at) => `key${String(at % 40).padStart(2, "0")}`;
  const value = (at) => `step ${number} entry ${at} `.repeat(1 + ((number * 31 + at * 17) % 400));
  const clear = number % 23 === 0;
  const kind = number % 5;
  if (kind === 0) {
    // A transaction of several keys.
    for (let at = 0; at < 8; at++) changes.set(key(number * 7 + at * 3), value(at));
    for (let at = 0; at < 3; at++) changes.set(key(number * 11 + at * 5 + 1), null);
  } else if (kind === 1) changes.set(key(number * 13), value(0).repeat(20));
  else if (kind === 2) changes.set(key(number * 3), null);
  else {
    // Made at the same time as the next one or the one before, by another connection: of other keys, and nothing else.
    for (let at = 0; at < 4; at++) changes.set(`${kind === 3 ? "one" : "two"}${at}`, value(at));
  }
  // So that every step shows.
  changes.set(kind === 3 || kind === 4 ? `number${kind}` : "number", `${number}`);
  return { changes, clear: clear && kind < 3 };
}

/** The page after so many steps. */
export function stateAfter(number) {
  const state = new Map();
  for (let step = 1; step <= number; step++) {
    const { changes, clear } = stepOf(step);
    if (clear) state.clear();
    for (const [key, value] of changes)
      if (value === null) state.delete(key);
      else state.set(key, value);
  }
  return state;
}

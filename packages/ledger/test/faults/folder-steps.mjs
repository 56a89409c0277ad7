// The steps of a device that writes to its page. Every device has keys of its own and some that all write; both go by the
// numbers of the device and the step alone.

/** Entries that a step puts (texts) and removes (null). */
export function stepOf(device, number) {
  const changes = new Map();
  const key = (at) => `device${device}/${String(at % 12).padStart(2, "0")}`;
  const value = (at) =>
    `device ${device} step ${number} entry ${at} `.repeat(1 + ((number * 37 + at * 11) % 90));
  const kind = number % 4;
  if (kind === 0) for (let at = 0; at < 5; at++) changes.set(key(number * 7 + at * 3), value(at));
  else if (kind === 1) changes.set(key(number * 5), value(0).repeat(12));
  else if (kind === 2) changes.set(key(number * 3), null);
  else changes.set("shared", `${device} ${number}`);
  // So that every step shows.
  changes.set(`device${device}/number`, `${number}`);
  return changes;
}

/** The page's entries with a device's own keys after so many steps. */
export function ownAfter(device, number) {
  const state = new Map();
  for (let step = 1; step <= number; step++)
    for (const [key, value] of stepOf(device, step))
      if (key === "shared") continue;
      else if (value === null) state.delete(key);
      else state.set(key, value);
  return state;
}

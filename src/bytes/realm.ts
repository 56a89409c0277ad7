/** Tests for built-in objects of any realm: an iframe, jsdom and node:vm have classes of their own. */

const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as (this: unknown) => number;
const { getTime } = Date.prototype;

/** Returns whether a value is a Map of any realm. */
export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return answers(() => sizeOfMap.call(value));
}

/** Returns whether a value is a Date of any realm. */
export function isDate(value: unknown): value is Date {
  return answers(() => getTime.call(value as Date));
}

/** Returns whether a value is a URL object of any realm. */
export function isUrlObject(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === "[object URL]";
}

/** Returns false if a method refuses the object. */
function answers(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}

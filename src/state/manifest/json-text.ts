/** JSON texts that are not trusted. Parsing takes a hundred times as long for a deep or wide text as for a usual one. */
/** Levels of objects and lists. */
const DEEPEST = 512;
/** Objects, lists, members and elements. A manifest of 100,000 fields has 800,000. */
const MOST_VALUES = 1_500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Returns true if a JSON text has at most 512 levels and 1,500,000 values. Text that is not JSON may have, too. */
export function isModestJson(text: string): boolean {
  let [depth, values, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isText = !isText;
    else if (isText) at += unit === BACKSLASH ? 1 : 0;
    else if (unit === COMMA) values += 1;
    // { and [ differ in one bit, as do } and ].
    else if ((unit | 0x20) === 0x7b) [depth, values] = [depth + 1, values + 1];
    else if ((unit | 0x20) === 0x7d) depth -= 1;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
  }
  return true;
}

// The batches of the writer beside which is read, and the rows after any number of them.

export const FAMILIES = ["a", "b"];

/** Rows that are put and deleted in turn. */
const KEYS = 60;

const text = new TextEncoder();

/** The key under which the first family has the number of the last batch. */
export const COUNT = text.encode("count");

function keyOf(index) {
  return text.encode(`row ${String(index).padStart(3, "0")}`);
}

function numbered(number, length) {
  const bytes = new Uint8Array(4 + length).fill(number);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function valueFor(number) {
  return numbered(number, (number * 37) % 1500);
}

/** The operations of a batch; without a value it is a deletion. */
export function batchOf(number) {
  const [put, deleted] = [keyOf(number % KEYS), keyOf((number + KEYS / 2) % KEYS)];
  return [
    ...FAMILIES.flatMap((column) => [
      { column, key: put, value: valueFor(number) },
      { column, key: deleted },
    ]),
    { column: FAMILIES[0], key: COUNT, value: numbered(number, 0) },
  ];
}

/** The rows of a family after a number of batches, in key order. */
export function rowsAfter(number, column) {
  const rows = [];
  if (column === FAMILIES[0] && number > 0) rows.push({ key: COUNT, value: numbered(number, 0) });
  for (let index = 0; index < KEYS; index++) {
    const put = last(number, index);
    const deleted = last(number, (index + KEYS / 2) % KEYS);
    if (put > deleted) rows.push({ key: keyOf(index), value: valueFor(put) });
  }
  return rows;
}

/** The last batch up to `number` with this remainder; 0 without one. */
function last(number, remainder) {
  const found = number - ((number - remainder + KEYS) % KEYS);
  return Math.max(0, found);
}

/** The rows of a database as RocksDB read them, compared with what an engine of ours reads. */

const SAMPLES = 8;

/** Reads the file that read.py writes: the rows of each column family by its name. */
export function parseRows(bytes) {
  const columns = new Map();
  let at = 0;
  const number = () => {
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const take = (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = take(number()).toString();
    const rows = [];
    for (let left = number(); left > 0; left--) {
      const keyLength = number();
      const valueLength = number();
      rows.push({ key: take(keyLength), value: take(valueLength) });
    }
    columns.set(name, rows);
  }
  return columns;
}

/** The difference between an engine and the expected rows, in a sentence; undefined without one. */
export async function difference(engine, expected, random) {
  const names = JSON.stringify(engine.columns.toSorted());
  const expectedNames = JSON.stringify([...expected.keys()].sort());
  if (names !== expectedNames) return `the column families are ${names} instead of ${expectedNames}`;
  for (const [column, rows] of expected) {
    const different =
      differentRows(rows, await scanned(engine, column)) ??
      (await differentSample(engine, column, rows, random));
    if (different !== undefined) return `${JSON.stringify(column)}: ${different}`;
  }
  return undefined;
}

async function differentSample(engine, column, rows, random) {
  for (let sample = 0; sample < SAMPLES; sample++) {
    const range = anyRange(rows, random);
    const options = { reverse: sample % 2 === 0, keysOnly: random.chance(0.2) };
    if (random.chance(0.3)) options.limit = random.below(rows.length + 2);
    const different = differentRows(
      selected(rows, range, options),
      await scanned(engine, column, range, options),
    );
    if (different !== undefined) return `${shownScan(range, options)}: ${different}`;
  }
  const keys = [];
  for (let sample = 0; sample < 4 * SAMPLES; sample++) keys.push(anyKey(rows, random));
  const values = await engine.getMany(column, keys);
  for (const [index, key] of keys.entries()) {
    const wanted = rows.find((row) => row.key.equals(key))?.value;
    if (!same(values[index], wanted)) return `getMany gives ${shown(values[index])} for ${shown(key)}`;
    if (index >= SAMPLES) continue;
    const value = await engine.get(column, key);
    if (!same(value, wanted)) return `get gives ${shown(value)} for ${shown(key)}`;
  }
  return undefined;
}

async function scanned(engine, column, range, options) {
  const rows = [];
  for await (const chunk of engine.scan(column, range, options).chunks()) rows.push(...chunk);
  return rows;
}

/** The expected result of a scan. */
function selected(rows, { gt, gte, lt, lte }, { reverse, limit = rows.length, keysOnly }) {
  const inside = rows.filter(
    ({ key }) =>
      (gt === undefined || Buffer.compare(key, gt) > 0) &&
      (gte === undefined || Buffer.compare(key, gte) >= 0) &&
      (lt === undefined || Buffer.compare(key, lt) < 0) &&
      (lte === undefined || Buffer.compare(key, lte) <= 0),
  );
  if (reverse) inside.reverse();
  const first = inside.slice(0, limit);
  return keysOnly ? first.map(({ key }) => ({ key, value: Buffer.alloc(0) })) : first;
}

function differentRows(wanted, found) {
  const length = Math.max(wanted.length, found.length);
  for (let index = 0; index < length; index++) {
    const [want, find] = [wanted[index], found[index]];
    if (want !== undefined && find !== undefined && same(want.key, find.key) && same(want.value, find.value))
      continue;
    return `row ${index} of ${wanted.length} is ${shownRow(find)} instead of ${shownRow(want)}, ${found.length} were read`;
  }
  return undefined;
}

/** A range whose ends are keys that are there, keys close to them, or open. Each end is inside or outside. */
function anyRange(rows, random) {
  if (random.chance(0.15)) return {};
  const ends = [anyKey(rows, random), anyKey(rows, random)];
  if (random.chance(0.9)) ends.sort(Buffer.compare);
  const [first, last] = ends.map((key) => (random.chance(0.2) ? undefined : key));
  return {
    ...(first && { [random.pick(["gt", "gte"])]: first }),
    ...(last && { [random.pick(["lt", "lte"])]: last }),
  };
}

function anyKey(rows, random) {
  if (rows.length === 0 || random.chance(0.05)) return Buffer.from([random.below(256)]);
  const { key } = random.pick(rows);
  if (random.chance(0.6)) return key;
  if (random.chance(0.3)) return key.subarray(0, random.below(key.length + 1));
  if (random.chance(0.3)) return Buffer.concat([key, Buffer.from([random.pick([0, 255])])]);
  const other = Buffer.from(key);
  if (other.length > 0) other[random.below(other.length)] ^= 1 << random.below(8);
  return other;
}

function same(a, b) {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}

function shown(bytes) {
  if (bytes === undefined) return "nothing";
  const hex = Buffer.from(bytes).toString("hex");
  return hex.length <= 80 ? `[${hex}]` : `[${hex.slice(0, 60)}… ${bytes.length} bytes]`;
}

function shownRow(row) {
  return row === undefined ? "nothing" : `${shown(row.key)} ${shown(row.value)}`;
}

function shownScan(range, { reverse, limit, keysOnly }) {
  const bounds = Object.entries(range).map(([bound, key]) => `${bound} ${shown(key)}`);
  const words = ["the scan", ...bounds];
  if (reverse) words.push("in reverse");
  if (limit !== undefined) words.push(`with limit ${limit}`);
  if (keysOnly) words.push("of keys only");
  return words.join(" ");
}

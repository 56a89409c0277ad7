/** Ways to spoil the bytes of a value: blindly, and where a trace of the codec says that it may hurt. */

/** Bytes that are something: tags, bools, the ends of ranges. */
const EDGES = [0, 1, 2, 3, 4, 10, 13, 14, 28, 0x7f, 0x80, 0xc0, 0xff];

/** Runs that are copied: entries of maps, ids, numbers. */
const RUNS = [1, 4, 8, 24, 32, 33, 64];

function concat(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function randomBytes(length, random) {
  return Uint8Array.from({ length }, () => random.below(256));
}

/** A place that `fits`; any place where none does. */
function place(bytes, random, fits) {
  const places = [];
  for (let at = 0; at < bytes.length; at++) if (fits(at)) places.push(at);
  return places.length > 0 ? random.pick(places) : random.below(bytes.length);
}

function setU32(bytes, at, value) {
  const copy = bytes.slice();
  for (let index = 0; index < 4 && at + index < copy.length; index++)
    copy[at + index] = value >>> (8 * index);
  return copy;
}

function u32(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

const kinds = {
  bitFlip(bytes, random) {
    const copy = bytes.slice();
    copy[random.below(copy.length)] ^= 1 << random.below(8);
    return copy;
  },
  byteChange(bytes, random) {
    const copy = bytes.slice();
    copy[random.below(copy.length)] = random.chance(0.5) ? random.pick(EDGES) : random.below(256);
    return copy;
  },
  truncation(bytes, random) {
    return bytes.slice(0, random.chance(0.3) ? bytes.length - 1 : random.below(bytes.length));
  },
  extension(bytes, random) {
    const more = random.chance(0.5)
      ? new Uint8Array(1 + random.below(8))
      : randomBytes(1 + random.below(40), random);
    return concat(bytes, more);
  },
  removal(bytes, random) {
    const at = random.below(bytes.length);
    const size = random.chance(0.5) ? random.pick(RUNS) : 1 + random.below(8);
    return concat(bytes.subarray(0, at), bytes.subarray(at + size));
  },
  insertion(bytes, random) {
    const at = random.below(bytes.length + 1);
    return concat(bytes.subarray(0, at), randomBytes(1 + random.below(8), random), bytes.subarray(at));
  },
  /** Four bytes that may be a length become a hostile one. */
  length(bytes, random) {
    if (bytes.length < 4) return kinds.byteChange(bytes, random);
    const at = place(bytes, random, (at) => at + 4 <= bytes.length && u32(bytes, at) <= bytes.length);
    const left = bytes.length - at - 4;
    const now = at + 4 <= bytes.length ? u32(bytes, at) : 0;
    const hostile = [0, now + 1, now - 1, left, left + 1, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];
    return setU32(bytes, at, random.pick(hostile));
  },
  /** Any four bytes as a number, one more or less: what is just out of range. */
  step(bytes, random) {
    if (bytes.length < 4) return kinds.byteChange(bytes, random);
    const at = random.below(bytes.length - 3);
    return setU32(bytes, at, u32(bytes, at) + (random.chance(0.5) ? 1 : -1));
  },
  /** A byte that may be a tag becomes another one. */
  tag(bytes, random) {
    const copy = bytes.slice();
    const at = place(bytes, random, (at) => bytes[at] < 32);
    copy[at] = random.chance(0.8) ? random.below(32) : random.pick(EDGES);
    return copy;
  },
  /** The first byte: an enum's own tag, whose variants the other bytes rarely are of. */
  firstByte(bytes, random) {
    const copy = bytes.slice();
    copy[0] = random.chance(0.8) ? random.below(32) : random.below(256);
    return copy;
  },
  splice(bytes, random, other) {
    const at = random.below(bytes.length + 1);
    const from = random.chance(0.5) ? Math.min(at, other.length) : random.below(other.length + 1);
    return concat(bytes.subarray(0, at), other.subarray(from));
  },
  /** A run overwrites the one beside it: equal entries of a map, equal heads, entries out of order. */
  copy(bytes, random) {
    const size = random.pick(RUNS);
    if (bytes.length < 2 * size) return kinds.bitFlip(bytes, random);
    const copy = bytes.slice();
    const from = random.below(bytes.length - 2 * size + 1);
    const to = random.chance(0.7) ? from + size : random.below(bytes.length - size + 1);
    copy.copyWithin(to, from, from + size);
    return copy;
  },
  /** Two runs beside one another change places. */
  swap(bytes, random) {
    const size = random.pick(RUNS);
    if (bytes.length < 2 * size) return kinds.bitFlip(bytes, random);
    const at = random.below(bytes.length - 2 * size + 1);
    const copy = bytes.slice();
    copy.set(bytes.subarray(at + size, at + 2 * size), at);
    copy.set(bytes.subarray(at, at + size), at + size);
    return copy;
  },
};

/** The tags and the lists of a value, as the codec's trace places them. */
class Structure {
  tags = [];
  /** Lists and maps: where the count is, where each entry begins, where the last one ends. */
  lists = [];
  #open = [{}];

  open(name, _type, at) {
    if (name.startsWith("[")) this.#open.at(-1).list?.entries.push(at);
    this.#open.push({});
  }

  close(end) {
    this.#open.pop();
    const { list } = this.#open.at(-1);
    if (list !== undefined) list.end = end;
  }

  note(name, _type, at, end) {
    if (name === "count") {
      const list = { at, entries: [], end };
      this.#open.at(-1).list = list;
      this.lists.push(list);
    } else if (end - at === 1) this.tags.push(at);
  }

  static of(codec, bytes) {
    const structure = new Structure();
    try {
      codec.decode(bytes, structure);
    } catch {
      // Bytes that the codec refuses, perhaps wrongly: what it saw until then will do.
    }
    return structure;
  }
}

const aimed = {
  tag(bytes, random, { tags }) {
    if (tags.length === 0) return kinds.tag(bytes, random);
    const copy = bytes.slice();
    copy[random.pick(tags)] = random.below(32);
    return copy;
  },
  /** An entry comes once more, counted: a map's key twice, with the same or another value. */
  again(bytes, random, { lists }) {
    const filled = lists.filter(({ entries }) => entries.length > 0);
    if (filled.length === 0) return kinds.length(bytes, random);
    const { at, entries, end } = random.pick(filled);
    const index = random.below(entries.length);
    const entry = bytes.slice(entries[index], entries[index + 1] ?? end);
    if (entry.length > 0 && random.chance(0.6)) entry[entry.length - 1] ^= 1 << random.below(3);
    const where = random.pick([...entries, end]);
    const more = setU32(bytes, at, u32(bytes, at) + 1);
    return concat(more.subarray(0, where), entry, more.subarray(where));
  },
  /** Two entries change places. */
  order(bytes, random, { lists }) {
    const several = lists.filter(({ entries }) => entries.length > 1);
    if (several.length === 0) return kinds.swap(bytes, random);
    const { entries, end } = random.pick(several);
    const index = random.below(entries.length - 1);
    const [first, second, third = end] = entries.slice(index);
    return concat(
      bytes.subarray(0, first),
      bytes.subarray(second, third),
      bytes.subarray(first, second),
      bytes.subarray(third),
    );
  },
};

const names = Object.keys(kinds);
const aimedNames = Object.keys(aimed);

/** The share of aimed changes. */
const AIMED = 0.25;

/** The bytes of a value changed in one to three ways; `other` is another value of the same type, to splice with. */
export function mutate(codec, bytes, random, other) {
  let mutant = bytes;
  const times = random.chance(0.75) ? 1 : 2 + random.below(2);
  for (let time = 0; time < times; time++) {
    if (time === 0 && bytes.length > 0 && random.chance(AIMED)) {
      mutant = aimed[random.pick(aimedNames)](bytes, random, Structure.of(codec, bytes));
    } else {
      const kind = mutant.length === 0 ? "extension" : random.pick(names);
      mutant = kinds[kind](mutant, random, other);
    }
  }
  return mutant;
}

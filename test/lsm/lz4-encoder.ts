/** A small LZ4 encoder for tests. */

/** Compresses bytes into one block. Copies may begin in the dictionary. */
export function compressLz4(contents: Uint8Array, dictionary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const all = Buffer.concat([dictionary, contents]);
  const seen = new Map<number, number>();
  const output: number[] = [];
  const lengthRest = (length: number) => {
    if (length < 15) return;
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) output.push(255);
    output.push(rest);
  };
  const sequence = (literals: Uint8Array, copy?: { back: number; length: number }) => {
    const short = copy === undefined ? 0 : copy.length - 4;
    output.push((Math.min(literals.length, 15) << 4) | Math.min(short, 15));
    lengthRest(literals.length);
    output.push(...literals);
    if (copy === undefined) return;
    output.push(copy.back & 0xff, copy.back >>> 8);
    lengthRest(short);
  };
  let literal = dictionary.length;
  for (let at = 0; at + 4 <= all.length; ) {
    const word = all.readUInt32LE(at);
    const before = seen.get(word);
    seen.set(word, at);
    // The last bytes of a block are literals.
    if (at < dictionary.length || before === undefined || at - before > 65_535 || at + 12 > all.length) {
      at++;
      continue;
    }
    let length = 4;
    while (at + length < all.length - 5 && all[before + length] === all[at + length]) length++;
    sequence(all.subarray(literal, at), { back: at - before, length });
    at += length;
    literal = at;
  }
  sequence(all.subarray(literal));
  return Uint8Array.from(output);
}

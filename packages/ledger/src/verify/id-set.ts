/** A set of ids that takes eight bytes for each: ids are hashes, so their first eight bytes are unique. */
export class IdSet {
  #ids = new BigUint64Array(1024);
  #size = 0;
  #sorted = true;

  /** @param id at least eight bytes */
  add(id: Uint8Array): void {
    if (this.#size === this.#ids.length) {
      const larger = new BigUint64Array(2 * this.#size);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#size++] = beginning(id);
    this.#sorted = false;
  }

  has(id: Uint8Array): boolean {
    if (!this.#sorted) this.#ids.subarray(0, this.#size).sort();
    this.#sorted = true;
    const wanted = beginning(id);
    let [low, high] = [0, this.#size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] as bigint) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < this.#size && this.#ids[low] === wanted;
  }
}

function beginning(id: Uint8Array): bigint {
  return new DataView(id.buffer, id.byteOffset).getBigUint64(0);
}

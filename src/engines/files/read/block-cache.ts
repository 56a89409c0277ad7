/**
 * Blocks that were read before, bounded in bytes. They are kept in segments of many blocks, which are filled again in
 * turn: a read allocates nothing. A segment that was of use since its last turn is passed over once.
 */

import type { BlockHandle } from "../../../lsm/format/footer.js";

const SEGMENT = 64 * 1024;

interface Segment {
  /** Undefined for what is kept outside: indexes, expanded blocks. */
  readonly buffer: Uint8Array | undefined;
  readonly bytes: number;
  readonly handles: BlockHandle[];
  used: boolean;
}

/** A kept block, to which its handle points. */
class Cached {
  readonly value: object;
  readonly segment: Segment;

  constructor(value: object, segment: Segment) {
    this.value = value;
    this.segment = segment;
  }
}

export class BlockCache {
  readonly #capacity: number;
  /** The one whose turn is next first. */
  readonly #segments = new Set<Segment>();
  #bytes = 0;
  /** The segment that is being filled, and how much of it is taken. */
  #filling: Segment | undefined;
  #taken = 0;

  /** @param capacity bytes of all blocks together; 0 for none */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(handle: BlockHandle): object | undefined {
    const found = handle.cached as Cached | undefined;
    if (found === undefined) return undefined;
    found.segment.used = true;
    return found.value;
  }

  /** Bytes to read a block to at once, which may then be kept. What they held before is kept no longer. */
  allocate(length: number): Uint8Array {
    if (length > SEGMENT / 4 || SEGMENT > this.#capacity) return new Uint8Array(length);
    let segment = this.#filling;
    if (segment === undefined || this.#taken + length > SEGMENT) {
      const buffer = this.#free(SEGMENT) ?? new Uint8Array(SEGMENT);
      segment = this.#add(buffer, SEGMENT);
      this.#filling = segment;
      this.#taken = 0;
    }
    this.#taken += length;
    return (segment.buffer as Uint8Array).subarray(this.#taken - length, this.#taken);
  }

  /**
   * Keeps what was read of a block.
   *
   * @param bytes what it takes in memory
   */
  keep(handle: BlockHandle, value: object, bytes: number): void {
    let segment = this.#filling;
    if (!(value instanceof Uint8Array) || value.buffer !== segment?.buffer?.buffer) {
      if (bytes > this.#capacity) return;
      this.#free(bytes);
      segment = this.#add(undefined, bytes);
    }
    segment.handles.push(handle);
    handle.cached = new Cached(value, segment);
  }

  #add(buffer: Uint8Array | undefined, bytes: number): Segment {
    const segment = { buffer, bytes, handles: [], used: false };
    this.#segments.add(segment);
    this.#bytes += bytes;
    return segment;
  }

  /** Makes room for `bytes`. Gives the buffer of a segment that had to go, if one had. */
  #free(bytes: number): Uint8Array | undefined {
    let buffer: Uint8Array | undefined;
    for (const segment of this.#segments) {
      if (this.#bytes + bytes <= this.#capacity) break;
      this.#segments.delete(segment);
      if (segment.used) {
        segment.used = false;
        this.#segments.add(segment); // its turn comes again after all others
        continue;
      }
      this.#bytes -= segment.bytes;
      buffer = segment.buffer;
      if (segment === this.#filling) this.#filling = undefined;
      for (const handle of segment.handles) {
        if ((handle.cached as Cached | undefined)?.segment === segment) handle.cached = undefined;
      }
    }
    return buffer;
  }
}

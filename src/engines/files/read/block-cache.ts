/**
 * Keeps blocks in memory, up to a number of bytes. A segment holds many blocks, and segments are reused in turn, so a
 * read allocates nothing. A segment with a hit since its last turn is skipped once (the clock algorithm).
 */

import type { BlockHandle } from "../../../lsm/format/footer.js";

const SEGMENT = 64 * 1024;

interface Segment {
  /** Undefined for a value with memory of its own: an index, or an expanded block. */
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
  /** The segments in the order of their turns. */
  readonly #segments = new Set<Segment>();
  #bytes = 0;
  /** The segment that new blocks go into, and the number of its used bytes. */
  #filling: Segment | undefined;
  #taken = 0;

  /** @param capacity the most bytes of all blocks together; 0 for no cache */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(handle: BlockHandle): object | undefined {
    const found = handle.cached as Cached | undefined;
    if (found === undefined) return undefined;
    found.segment.used = true;
    return found.value;
  }

  /**
   * Returns memory for a block that is read next and may then be kept. The blocks that were in this memory leave the
   * cache.
   */
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
   * Keeps a block, or an index that was made from it.
   *
   * @param bytes its size in memory
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

  /** Makes room for `bytes`. Returns the buffer of the last removed segment, if any. */
  #free(bytes: number): Uint8Array | undefined {
    let buffer: Uint8Array | undefined;
    for (const segment of this.#segments) {
      if (this.#bytes + bytes <= this.#capacity) break;
      this.#segments.delete(segment);
      if (segment.used) {
        segment.used = false;
        this.#segments.add(segment); // it goes to the end of the queue
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

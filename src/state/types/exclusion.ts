/**
 * Exclusion of types by the values of an application: a field has one width in all rows, so that the rows cannot have a
 * width that one of them excludes.
 */
import { Pause } from "../../pause.js";
import { type Domains, NO_DOMAINS, type OpenType } from "./choices.js";
import { alternativesOf, type HandleTest, Readings, TOO_MANY_READINGS } from "./readings.js";
import type { Type } from "./type.js";
import { UNSAID } from "./unsaid.js";

/** A value with an open type. */
export interface Sample {
  /** Its type. */
  readonly type: Type;
  /** All of its bytes. */
  readonly bytes: Uint8Array;
  /** Tells whether bytes of it are the handle of a collection. */
  readonly isHandle: HandleTest;
}

/** Steps that all values together may take: about half a second. */
const STEPS = 500_000;
/** Steps that one reading of a value may take. */
const STEPS_OF_READING = 100_000;
/** Exclusions that are copied in the time of a step. */
const DOMAINS_OF_STEP = 8;

/**
 * Returns the remaining alternatives of the open types, if the values exclude some. A type is excluded only if a value
 * has readings, and none of them with this type, options counted everywhere. So an alternative that can be right for
 * all values is never excluded, and more values exclude more. Values that contradict each other exclude nothing.
 */
export function exclude(samples: readonly Sample[]): Promise<Domains> {
  return new Exclusion().run(samples);
}

/** The open types in the readings of a value; `too many` if they are not worth counting. */
type Met = readonly OpenType[] | "none" | "too many";

class Exclusion {
  /** The map is replaced, never changed, because readings that used it are kept. */
  #domains: Domains = new Map();
  readonly #pause = new Pause();
  #steps = STEPS;
  #excluded = 0;

  async run(samples: readonly Sample[]): Promise<Domains> {
    // Short values have few readings: they take few steps, and exclude most.
    const sorted = samples.toSorted((a, b) => a.bytes.length - b.bytes.length);
    // A damaged value has no reading, and excludes nothing.
    const readable = await this.#filter(sorted, (sample) => typeof this.#met(sample) === "object");
    // A value that excludes nothing may do so after others have.
    for (let before = -1; before < this.#excluded; ) {
      before = this.#excluded;
      const agreeing = await this.#filter(readable, (sample) => this.#narrow(sample));
      if (agreeing.length < readable.length) return NO_DOMAINS;
    }
    return this.#domains;
  }

  async #filter(samples: readonly Sample[], test: (sample: Sample) => boolean): Promise<readonly Sample[]> {
    const passed: Sample[] = [];
    for (const sample of samples) {
      await this.#pause.ifLong();
      if (test(sample)) passed.push(sample);
    }
    return passed;
  }

  /** Removes the types that the value excludes. Returns false if the remaining types leave it no reading. */
  #narrow(sample: Sample): boolean {
    const met = this.#met(sample);
    if (met === "none") return false;
    if (met === "too many") return true;
    for (const open of met) {
      const before = this.#domains.get(open) ?? alternativesOf(open, true);
      // All types that rows do not describe share one type, so it excludes nothing.
      if (before.length < 2 || open === UNSAID) continue;
      const left = before.filter((one) => this.#met(sample, [open, one]) !== "none");
      if (left.length === 0) return false;
      if (left.length === before.length) continue;
      this.#excluded += before.length - left.length;
      this.#domains = new Map(this.#domains).set(open, left);
    }
    return true;
  }

  /** The open types in the readings of a value, with one of them as a given type. */
  #met({ type, bytes, isHandle }: Sample, as?: readonly [open: OpenType, type: Type]): Met {
    if (this.#steps <= 0) return "too many";
    const domains = as === undefined ? this.#domains : new Map(this.#domains).set(as[0], [as[1]]);
    const readings = new Readings(bytes, isHandle, true, Math.min(this.#steps, STEPS_OF_READING), domains);
    try {
      const hasReading = readings.ends(type, 0).some(({ at }) => at === bytes.length);
      return hasReading ? [...readings.met] : "none";
    } catch (error) {
      if (error !== TOO_MANY_READINGS) throw error;
      return "too many";
    } finally {
      this.#steps -= 1 + domains.size / DOMAINS_OF_STEP + readings.spent;
    }
  }
}

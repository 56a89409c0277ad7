/** Texts that several people edit: replicated growable arrays, whose characters are entities. */
import { Reader, ReadFailure, u32 } from "../../codec/index.js";
import { indexPath } from "../path.js";
import { problem, StateError, type StateProblem } from "../problem.js";
import type { Type } from "../types/type.js";
import type { CharacterId, Placed } from "./character-order.js";
import { StateCollection } from "./collection.js";
import { type Body, type Split, splitKeys, type Unsplit } from "./entry-body.js";
import { CharacterKey, isSound, TextRun, textOfRuns } from "./fugue-order.js";
import type { StateEntry } from "./scope.js";

/** Bytes of a timestamp in the id of a character: the time, then the id of the clock. */
type StampSize = 24 | 16;

/** Bytes of a character's id: a timestamp and a number. */
const idSize = (stamp: StampSize): number => stamp + 4;
/** Bytes of a character after its id: the scalar value and the id of the character to the left. */
const restSize = (stamp: StampSize): number => 4 + idSize(stamp);

const RUN: Type = { kind: "rest" };
const RUN_KEY: Type = { kind: "bytes", size: 12 };

/** A text that several people edit. */
export class StateText extends StateCollection {
  readonly kind = "sequence";

  /**
   * The text. Reads all characters, in the order in which the node's revision shows them.
   *
   * @throws StateError if the text or a character cannot be read
   */
  async text(): Promise<string> {
    const characters: Placed[] = [];
    const runs: TextRun[] = [];
    for await (const { path, problem: wrong, key, value } of this.parts()) {
      if (wrong !== undefined) throw new StateError(wrong);
      if (this.#hasRuns) {
        const run = TextRun.decode(value as Uint8Array);
        if (isSound(run, CharacterKey.decode(key as Uint8Array))) runs.push(run);
        continue;
      }
      const character = placed(key as Uint8Array, value as Uint8Array, this.#stamp);
      if (character === undefined)
        throw new StateError(problem("ValueDecode", path, "the character is not a Unicode scalar value"));
      characters.push(character);
    }
    if (this.#hasRuns) return textOfRuns(runs);
    return this.scope.rows.layout
      .textOrder(characters)
      .map(({ character }) => character)
      .join("");
  }

  /** @internal The characters of an entry; undefined if they cannot be read. */
  charactersOf({ key, value }: StateEntry): string | undefined {
    if (!(key instanceof Uint8Array) || !(value instanceof Uint8Array)) return undefined;
    if (!this.#hasRuns) return placed(key, value, this.#stamp)?.character;
    const run = TextRun.readWhole(value);
    return run instanceof ReadFailure ? undefined : run.text;
  }

  get #hasRuns(): boolean {
    return this.type.kind === "sequence" && this.type.hasRuns;
  }

  get #stamp(): StampSize {
    return this.scope.types.forms.stamp === 16 ? 16 : 24;
  }

  /** @internal */
  protected override split(unsplit: Unsplit, _opened: unknown, index: number | undefined): readonly Split[] {
    const key: Type = this.#hasRuns ? RUN_KEY : { kind: "bytes", size: idSize(this.#stamp) };
    const path = index === undefined ? this.path : indexPath(this.path, index);
    return splitKeys(this.id, unsplit, key).map((one) => ({ ...one, path }));
  }

  /** @internal */
  protected override itemType(): Type {
    return this.#hasRuns ? RUN : { kind: "bytes", size: restSize(this.#stamp) };
  }

  /** @internal */
  protected override check({ rest, path }: Body): StateProblem | undefined {
    if (!this.#hasRuns) return undefined;
    const failure = TextRun.readWhole(rest);
    return failure instanceof ReadFailure
      ? problem("ValueDecode", path, "the bytes are not a run of characters", rest)
      : undefined;
  }
}

/** The character of an entry's data up to core-0.11; undefined for other data. */
export function characterIn(data: Uint8Array): Placed | undefined {
  const end = idSize(24);
  if (data.length !== end + restSize(24) + 32) return undefined;
  return placed(data.subarray(0, end), data.subarray(end, -32), 24);
}

function placed(key: Uint8Array, rest: Uint8Array, stamp: StampSize): Placed | undefined {
  const scalar = u32.decode(rest.subarray(0, 4));
  if (scalar > 0x10ffff || (scalar >= 0xd800 && scalar <= 0xdfff)) return undefined;
  return {
    id: characterId(key, stamp),
    left: characterId(rest.subarray(4), stamp),
    character: String.fromCodePoint(scalar),
  };
}

function characterId(bytes: Uint8Array, stamp: StampSize): CharacterId {
  const reader = new Reader(bytes);
  const time = reader.u64();
  const low = reader.u64();
  const clock = stamp === 24 ? low | (reader.u64() << 64n) : low;
  return { time, clock, sequence: reader.u32() };
}

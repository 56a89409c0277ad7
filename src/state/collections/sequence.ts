/** Texts that several people edit: replicated growable arrays, whose characters are entities. */
import { u32 } from "../../codec/index.js";
import { HybridTimestamp } from "../../payloads/index.js";
import { indexPath } from "../path.js";
import { problem, StateError } from "../problem.js";
import type { Type } from "../types/type.js";
import { type CharacterId, type Placed, textOf010, textOf011 } from "./character-order.js";
import { StateCollection } from "./collection.js";
import type { Split } from "./entry-body.js";
import { findKey } from "./entry-key.js";
import type { Contents } from "./layout.js";

/** Bytes of a character's id: a timestamp of 24 bytes and a number. */
const ID_SIZE = 28;
/** Bytes of a character after its id: the scalar value and the id of the character to the left. */
const REST = 32;

const CHARACTER: Type = { kind: "bytes", size: REST };
const KEY: Type = { kind: "bytes", size: ID_SIZE };

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
    for await (const { path, problem: wrong, key, value } of this.parts()) {
      if (wrong !== undefined) throw new StateError(wrong);
      const character = placed(key as Uint8Array, value as Uint8Array);
      if (character === undefined)
        throw new StateError(problem("ValueDecode", path, "the character is not a Unicode scalar value"));
      characters.push(character);
    }
    return this.scope.rows.isOld ? textOf010(characters) : textOf011(characters);
  }

  /** @internal */
  protected override split(
    data: Uint8Array,
    id: Uint8Array,
    _opened: Contents,
    index: number | undefined,
  ): Split | "no key" {
    const found = findKey(this.id, id, data, KEY);
    if (found === undefined) return "no key";
    return {
      key: found.key,
      rest: data.subarray(found.end),
      path: index === undefined ? this.path : indexPath(this.path, index),
    };
  }

  /** @internal */
  protected override itemType(): Type {
    return CHARACTER;
  }
}

/** The character of an entry's data; undefined for other data. */
export function characterIn(data: Uint8Array): Placed | undefined {
  if (data.length !== ID_SIZE + REST + 32) return undefined;
  return placed(data.subarray(0, ID_SIZE), data.subarray(ID_SIZE, ID_SIZE + REST));
}

function placed(key: Uint8Array, rest: Uint8Array): Placed | undefined {
  const scalar = u32.decode(rest.subarray(0, 4));
  if (scalar > 0x10ffff || (scalar >= 0xd800 && scalar <= 0xdfff)) return undefined;
  return {
    id: characterId(key),
    left: characterId(rest.subarray(4)),
    character: String.fromCodePoint(scalar),
  };
}

function characterId(bytes: Uint8Array): CharacterId {
  const { time, id } = HybridTimestamp.decode(bytes.subarray(0, 24));
  return { time, clock: id, sequence: u32.decode(bytes.subarray(24)) };
}

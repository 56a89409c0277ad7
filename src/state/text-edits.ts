/** The characters that deltas typed into texts and deleted from them, at their place in the text that the author saw. */
import { toHex } from "../bytes/hex.js";
import { once } from "../node/tables/once.js";
import { type NodeReader, rowsOf } from "../node/tables/rows.js";
import { Pause } from "../pause.js";
import { parentIn } from "../payloads/index.js";
import { compareIds, type Placed } from "./collections/character-order.js";
import { characterIn } from "./collections/sequence.js";
import { earlierDelta } from "./earlier-deltas.js";
import type { StateLayout } from "./layouts/layout.js";

/** The most deltas of a context, and the most characters, for which places are found. */
const [MOST_DELTAS, MOST_CHARACTERS] = [20_000, 100_000];

/** A character that was typed. */
interface Character extends Placed {
  /** Its entity, 64 hex digits. */
  readonly entity: string;
  /** The text that has it. */
  readonly text: string;
}

/** Adjacent characters. */
export interface TextRun {
  /** The entities of the characters. */
  readonly entities: readonly string[];
  /** The characters. */
  readonly value: string;
  /** The place of the first one, from 0; undefined if it is unknown. */
  readonly at: number | undefined;
}

/** The change of a text by a delta. */
export interface TextEdit {
  /** The inserted characters, at their places after the change. */
  readonly inserted: readonly TextRun[];
  /** The deleted characters, at their places before the change. */
  readonly deleted: readonly TextRun[];
}

interface Edits {
  readonly parents: readonly string[];
  /** True if all changes of the delta are known. */
  readonly isWhole: boolean;
  readonly typed: readonly Character[];
  readonly deleted: readonly string[];
}

interface AllEdits {
  /** By the ids of the deltas. */
  readonly deltas: ReadonlyMap<string, Edits>;
  /** By their entities. */
  readonly characters: ReadonlyMap<string, Character>;
}

/** The edits of a context's texts. */
export class TextEdits {
  readonly #reader: NodeReader;
  readonly #contextId: Uint8Array;
  readonly #layout: StateLayout;
  readonly #all = once(() => this.#read());

  constructor(reader: NodeReader, contextId: Uint8Array, layout: StateLayout) {
    this.#reader = reader;
    this.#contextId = contextId;
    this.#layout = layout;
  }

  /**
   * The change of a text by a delta; undefined if the context has too many deltas. The first call reads all deltas.
   *
   * @param delta 64 hex digits
   * @param text the id of the text's entity, 64 hex digits
   */
  async of(delta: string, text: string): Promise<TextEdit | undefined> {
    const all = await this.#all();
    const own = all?.deltas.get(delta);
    if (all === undefined || own === undefined) return undefined;
    const typed = own.typed.filter((one) => one.text === text);
    const deleted = new Set(own.deleted.filter((entity) => all.characters.get(entity)?.text === text));
    const before = this.#layout.isTextOrderFixed ? textBefore(all, own, text) : undefined;
    if (before === undefined) {
      const gone = [...deleted].map((entity) => all.characters.get(entity) as Character);
      return { inserted: unplaced(typed), deleted: unplaced(gone) };
    }
    const left = before.filter(({ entity }) => !deleted.has(entity));
    const isTyped = new Set(typed.map(({ entity }) => entity));
    return {
      inserted: runs(typed.length === 0 ? [] : this.#layout.textOrder([...left, ...typed]), isTyped),
      deleted: runs(deleted.size === 0 ? [] : this.#layout.textOrder(before), deleted),
    };
  }

  async #read(): Promise<AllEdits | undefined> {
    const deltas = new Map<string, Edits>();
    const characters = new Map<string, Character>();
    const pause = new Pause();
    for await (const rows of rowsOf(this.#reader, "ContextDagDelta", { contextId: this.#contextId })) {
      for (const row of rows) {
        await pause.ifLong();
        const { parents, actions } = await earlierDelta(row, pause);
        const typed = (actions ?? []).flatMap((action): readonly Character[] => {
          const text = parentIn(action);
          const character = text && "data" in action ? characterIn(action.data) : undefined;
          return text === undefined || character === undefined
            ? []
            : [{ ...character, entity: toHex(action.id), text: toHex(text) }];
        });
        for (const one of typed) characters.set(one.entity, one);
        const deleted = (actions ?? []).flatMap(({ kind, id }) => (kind === "DeleteRef" ? [toHex(id)] : []));
        const isWhole = actions !== undefined;
        deltas.set(toHex(row.key.deltaId), { parents, isWhole, typed, deleted });
        if (deltas.size > MOST_DELTAS || characters.size > MOST_CHARACTERS) return undefined;
      }
    }
    return { deltas, characters };
  }
}

/** The characters of a text before a delta, in their order; undefined if a delta before it is missing. */
function textBefore(
  { deltas }: AllEdits,
  { parents }: Edits,
  text: string,
): readonly Character[] | undefined {
  const found = new Map<string, Character>();
  const deleted: string[] = [];
  const open = [...parents];
  const seen = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const delta = deltas.get(id);
    if (!delta?.isWhole) return undefined;
    for (const one of delta.typed) if (one.text === text) found.set(one.entity, one);
    for (const entity of delta.deleted) deleted.push(entity);
    for (const parent of delta.parents)
      if (!seen.has(parent)) {
        seen.add(parent);
        open.push(parent);
      }
  }
  for (const entity of deleted) found.delete(entity);
  return [...found.values()];
}

/** Those of the characters of a text that are chosen, in runs. */
function runs(text: readonly Character[], chosen: ReadonlySet<string>): readonly TextRun[] {
  const found: TextRun[] = [];
  for (let at = 0; at < text.length; at++) {
    const start = at;
    while (at < text.length && chosen.has((text[at] as Character).entity)) at++;
    if (at > start) found.push({ ...runOf(text.slice(start, at)), at: start });
  }
  return found;
}

/** Characters with unknown places, in the order in which they were typed. */
function unplaced(characters: readonly Character[]): readonly TextRun[] {
  if (characters.length === 0) return [];
  return [{ ...runOf(characters.toSorted((a, b) => compareIds(a.id, b.id))), at: undefined }];
}

function runOf(characters: readonly Character[]): Omit<TextRun, "at"> {
  return {
    entities: characters.map(({ entity }) => entity),
    value: characters.map(({ character }) => character).join(""),
  };
}

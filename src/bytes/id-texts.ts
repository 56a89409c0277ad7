/** Ids as text, each made once: equal ids are the same string, which is compared and looked up without reading it. */
import { toHex } from "./hex.js";
import { IdTable } from "./id-table.js";

/** Ids of 32 bytes as 64 hex digits. */
export class IdTexts {
  readonly #ids = new IdTable();
  readonly #texts: string[] = [];

  /** The text of an id. */
  of(id: Uint8Array): string {
    const number = this.#ids.add(id);
    if (number === this.#texts.length) this.#texts.push(toHex(id));
    return this.#texts[number] as string;
  }
}

/** Shows ids and times in sentences in the form that options request. The library writes eight digits, and UTC. */
import { isMerostoreError } from "../../errors.js";
import type { CalimeroNode } from "../../node/index.js";
import { type IdLook, idText } from "./id-look.js";
import { shortDate } from "./lines.js";
import type { Terminal } from "./terminal.js";

/** Eight digits, and the sign for further digits if the sentence has it. */
const SHORT_ID = /\b([0-9a-f]{8})\b(…?)/g;
const TIME = /\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\b/g;

/** Shows sentences about nodes. */
export class SentenceLook {
  readonly #terminal: Terminal;
  readonly #nodes: readonly CalimeroNode[];
  readonly #utc: boolean;
  /** Whole ids by their first digits; undefined if unknown or not unique. */
  readonly #whole = new Map<string, string | undefined>();

  /** @param nodes the nodes that know the ids */
  constructor(terminal: Terminal, nodes: readonly CalimeroNode[], utc = true) {
    this.#terminal = terminal;
    this.#nodes = nodes;
    this.#utc = utc;
  }

  /** Adds ids that nodes do not list: of deltas, entities and keys, in hex. */
  learn(ids: Iterable<string>): void {
    for (const id of ids) {
      const short = id.slice(0, 8);
      this.#whole.set(short, (this.#whole.get(short) ?? id) === id ? id : undefined);
    }
  }

  /** A sentence with ids and times in the requested form. */
  async show(sentence: string): Promise<string> {
    const timed = sentence.replace(TIME, (text) =>
      shortDate(Date.parse(text.replace(" UTC", "Z").replace(" ", "T")), this.#utc),
    );
    const look = this.#terminal.idsAskedFor;
    return look === undefined ? timed : this.withIds(timed, look);
  }

  /** A sentence with ids in a form. */
  async withIds(sentence: string, look: IdLook): Promise<string> {
    for (const [, short = ""] of sentence.matchAll(SHORT_ID))
      if (!this.#whole.has(short)) this.#whole.set(short, await this.#find(short));
    return sentence.replace(SHORT_ID, (text, short: string, more: string) => {
      const id = this.#whole.get(short);
      return id === undefined ? text : `${idText(id, look)}${look.whole ? "" : more}`;
    });
  }

  async #find(short: string): Promise<string | undefined> {
    for (const node of this.#nodes)
      try {
        return (await node.resolve(short)).id;
      } catch (error) {
        if (!isMerostoreError(error, "UNKNOWN_NAME") && !isMerostoreError(error, "AMBIGUOUS_NAME"))
          throw error;
      }
    return undefined;
  }
}

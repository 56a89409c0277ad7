/** The operations and deltas of a history that are wanted: of a period, of a member, by an author. */
import { type Delta, type Node, type Operation, thingsIn } from "../../node/index.js";
import { text } from "../option-kinds.js";
import { type Period, periodOf, since, until } from "./period.js";

/** Options that leave out operations and deltas. */
export const wanting = {
  since,
  until,
  member: text("<id>", "only what this member did, and operations that name it"),
  author: text("<id>", "only what this member did"),
};

interface WantingValues {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly member: string | undefined;
  readonly author: string | undefined;
  readonly utc: boolean;
}

/** Tells which operations and deltas are wanted. */
export class Wanted {
  readonly period: Period;
  readonly #member: string | undefined;
  readonly #author: string | undefined;

  private constructor(period: Period, member: string | undefined, author: string | undefined) {
    this.period = period;
    this.#member = member;
    this.#author = author;
  }

  static async of(node: Node, options: WantingValues): Promise<Wanted> {
    const idOf = async (typed: string | undefined): Promise<string | undefined> =>
      typed === undefined ? undefined : (await node.resolve(typed, ["member", "key"])).id;
    return new Wanted(periodOf(options), await idOf(options.member), await idOf(options.author));
  }

  /** True if the newest ones are wanted, whatever they are. */
  get areNewest(): boolean {
    return this.#member === undefined && this.#author === undefined && this.period.until === undefined;
  }

  /** True if times decide. */
  get isTimed(): boolean {
    return this.period.since !== undefined || this.period.until !== undefined;
  }

  hasDelta({ author, time }: Pick<Delta, "author" | "time">): boolean {
    const isBy = (id: string | undefined): boolean => id === undefined || author?.id === id;
    return isBy(this.#member) && isBy(this.#author) && this.period.has(time, time);
  }

  hasOperation({ actor, signer, sentence, time }: Operation): boolean {
    if (!this.period.has(time?.after, time?.before)) return false;
    if (this.#author !== undefined && ![actor.id, signer].includes(this.#author)) return false;
    if (this.#member === undefined || [actor.id, signer].includes(this.#member)) return true;
    return thingsIn(sentence).some(({ id }) => id === this.#member);
  }
}

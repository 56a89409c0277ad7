/** Selects operations and deltas of a history: of a period, about a member, by an author. */
import { type CalimeroNode, type Delta, type GroupNode, type Operation, thingsIn } from "../../node/index.js";
import type { OptionValues } from "../arguments/command.js";
import { text } from "../arguments/option-kinds.js";
import { type Period, periodOf, since, until } from "./period.js";

/** Options that leave out operations and deltas. */
export const filterOptions = {
  since,
  until,
  member: text("<id>", "only what this member did, and operations that name it"),
  author: text("<id>", "only what this member did"),
};

/** The typed values of these options. */
export type FilterValues = OptionValues<typeof filterOptions>;

/** Selects operations and deltas by these options. */
export class HistoryFilter {
  readonly period: Period;
  readonly #member: string | undefined;
  readonly #author: string | undefined;
  /** The creation times of groups, by id: no operation about a group is older. */
  readonly #madeAt = new Map<string, number>();

  private constructor(
    period: Period,
    member: string | undefined,
    author: string | undefined,
    groups: readonly GroupNode[],
  ) {
    this.period = period;
    this.#member = member;
    this.#author = author;
    this.#add(groups);
  }

  #add(groups: readonly GroupNode[]): void {
    for (const { group, createdAt, children } of groups) {
      if (createdAt !== undefined) this.#madeAt.set(group.id, createdAt);
      this.#add(children);
    }
  }

  static async of(
    node: CalimeroNode,
    options: FilterValues & { readonly utc: boolean },
  ): Promise<HistoryFilter> {
    const idOf = async (typed: string | undefined): Promise<string | undefined> =>
      typed === undefined ? undefined : (await node.resolve(typed, ["member", "key"])).id;
    const period = periodOf(options);
    const groups = period.until === undefined ? [] : await node.namespaces();
    return new HistoryFilter(period, await idOf(options.member), await idOf(options.author), groups);
  }

  /** True if the newest rows are the wanted ones: the filter has no member, author or end. */
  get needsNewestOnly(): boolean {
    return this.#member === undefined && this.#author === undefined && this.period.until === undefined;
  }

  /** "such " if the filter leaves out some, for a sentence that nothing was found. */
  get such(): string {
    return this.needsNewestOnly && !this.isTimed ? "" : "such ";
  }

  /** True if the filter depends on times. */
  get isTimed(): boolean {
    return this.period.since !== undefined || this.period.until !== undefined;
  }

  hasDelta({ author, time }: Pick<Delta, "author" | "time">): boolean {
    const isBy = (id: string | undefined): boolean => id === undefined || author?.id === id;
    return isBy(this.#member) && isBy(this.#author) && this.period.has(time, time);
  }

  hasOperation({ actor, signer, sentence, time, group, namespace }: Operation): boolean {
    const bounds = [time?.after, this.#madeAt.get(namespace.id), this.#madeAt.get(group.id)];
    const after = bounds.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a));
    if (!this.period.has(after, time?.before)) return false;
    if (this.#author !== undefined && ![actor.id, signer].includes(this.#author)) return false;
    if (this.#member === undefined || [actor.id, signer].includes(this.#member)) return true;
    return thingsIn(sentence).some(({ id }) => id === this.#member);
  }
}

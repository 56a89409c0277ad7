/** The judge of a thing of which rows cannot be read. It says nothing that those rows could refute. */
import { type RowDifference, unreadText } from "../diff/browser.js";
import { unreadOf } from "../node/tables/unread.js";
import type { Causes, DifferingRows, Judge, WhyDifference } from "./causes.js";
import { listed } from "./naming.js";
import type { Peer } from "./side.js";

/** The thing that is judged, and the nodes beside each other. */
export interface Doubted {
  /** `namespace`: that of a group, whose operations decide about it too. */
  readonly thing: Pick<WhyDifference, "of" | "id"> & { readonly namespace?: string };
  readonly peers: readonly [Peer, Peer];
  /** None yet. */
  readonly causes: Causes;
}

/** Leaves the decision to another judge, unless rows of the thing turn out to be unreadable. */
export class DoubtingJudge implements Judge {
  readonly #doubted: Doubted;
  readonly #judge: Judge | undefined;
  readonly #rows: DifferingRows;
  /** The names of nodes on which rows that differ cannot be read. */
  readonly #unread = new Set<string>();
  #hasSameRows = true;

  private constructor(doubted: Doubted, judge: Judge | undefined) {
    this.#doubted = doubted;
    this.#judge = judge;
    this.#rows = doubted.causes.noRows();
  }

  /** @param make makes the other judge, unless there are such rows already */
  static async on(doubted: Doubted, make: () => Judge | Promise<Judge>): Promise<DoubtingJudge> {
    const judge = unreadAt(doubted).length > 0 ? undefined : await make();
    return new DoubtingJudge(doubted, judge);
  }

  take(row: RowDifference): void {
    this.#judge?.take(row);
    this.#rows.add(row);
    if (row.column === "State" && row.benign === undefined) this.#hasSameRows = false;
    for (const { name, source } of this.#doubted.peers)
      if (unreadOf(source.reader).isDamaged(row.column, row.key)) this.#unread.add(name);
  }

  async decide(): Promise<WhyDifference> {
    const about = [...new Set([...unreadAt(this.#doubted), ...this.#unread])];
    const { thing, causes } = this.#doubted;
    if (about.length === 0 && this.#judge !== undefined) return this.#judge.decide();
    const sentence = (await this.#sameState()) ?? `not known: rows of it cannot be read on ${listed(about)}`;
    causes.takeAll(this.#rows, causes.add({ rule: "unread", sentence }));
    return {
      of: thing.of,
      id: thing.id,
      verdict: "unknown",
      sentence,
      about,
      causes: causes.done(),
      ...causes.unexplained,
      entities: undefined,
    };
  }

  /** The sentence about a context whose state is the same, where only deltas cannot be read. */
  async #sameState(): Promise<string | undefined> {
    const { thing, peers, causes } = this.#doubted;
    const { id } = thing;
    if (thing.of !== "context" || id === undefined || !this.#hasSameRows) return undefined;
    const [a, b] = await Promise.all(peers.map(async (peer) => (await peer.contexts()).get(id)?.rootHash));
    if (a === undefined || a !== b) return undefined;
    const unread = peers.map(({ source }) => unreadOf(source.reader).undecodedOf(id));
    const deltas = unread.map((kinds) => kinds?.get("ContextDagDelta") ?? 0);
    const isOnly = unread.every((kinds, at) => kinds?.size === (deltas[at] === 0 ? 0 : 1));
    return isOnly ? unreadText(deltas, causes.names) : undefined;
  }
}

/** The names of the nodes that have rows of the thing which cannot be read, as far as is known by now. */
function unreadAt({ thing: { of, id, namespace }, peers }: Doubted): readonly string[] {
  return peers.flatMap(({ name, source }) => {
    const unread = unreadOf(source.reader);
    const isUnread =
      id === undefined
        ? unread.isOfRest
        : of === "context"
          ? unread.isOfContext(id)
          : unread.isOfGroup(id) || (namespace !== undefined && unread.isOfGroup(namespace));
    return isUnread ? [name] : [];
  });
}

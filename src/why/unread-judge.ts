/** The judge of a context, a group or the rest with unreadable rows. These rows cannot refute its verdict. */
import { fromHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { type RowDifference, unreadText } from "../diff/browser.js";
import { unreadOf } from "../node/tables/unread.js";
import type { Causes, DifferingRows, Judge, WhyDifference } from "./causes.js";
import { listed, shortId } from "./naming.js";
import type { Peer } from "./side.js";

/** The context, group or rest to judge, and the two nodes. */
export interface JudgedThing {
  /** `namespace` is the namespace of a group. Its operations affect the group too. */
  readonly thing: Pick<WhyDifference, "of" | "id"> & { readonly namespace?: string };
  readonly peers: readonly [Peer, Peer];
  /** Collects the causes; empty at first. */
  readonly causes: Causes;
}

/** Leaves the verdict to another judge, unless it meets unreadable rows. */
export class UnreadJudge implements Judge {
  readonly #judged: JudgedThing;
  readonly #judge: Judge | undefined;
  readonly #rows: DifferingRows;
  /** The differing rows that do not decode, by the name of the node. */
  readonly #undecoded = new Map<string, DifferingRows>();
  /** The column families with differing rows in a damaged part, by the name of the node. */
  readonly #damaged = new Map<string, Set<string>>();
  #hasSameRows = true;

  private constructor(judged: JudgedThing, judge: Judge | undefined) {
    this.#judged = judged;
    this.#judge = judge;
    this.#rows = judged.causes.noRows();
  }

  /** @param make makes the other judge; not called if unreadable rows are known already */
  static async on(judged: JudgedThing, make: () => Judge | Promise<Judge>): Promise<UnreadJudge> {
    const judge = unreadAt(judged).length > 0 ? undefined : await make();
    return new UnreadJudge(judged, judge);
  }

  take(row: RowDifference): void {
    this.#judge?.take(row);
    const { column, key, kind, undecoded = [] } = row;
    const { peers, causes } = this.#judged;
    if (column === "State" && row.benign === undefined) this.#hasSameRows = false;
    for (const side of undecoded) {
      const { name, source } = peers[side === "a" ? 0 : 1];
      unreadOf(source.reader).add(kind ?? column, { COLUMN: column, bytes: fromHex(key) }, false);
      const rows = this.#undecoded.get(name) ?? causes.noRows();
      this.#undecoded.set(name, rows);
      // A row that does not decode on both nodes counts once.
      if (side === undecoded[0]) rows.add(row);
    }
    if (undecoded.length === 0) this.#rows.add(row);
    for (const { name, source } of peers)
      if (unreadOf(source.reader).isDamaged(column, key))
        this.#damaged.set(name, (this.#damaged.get(name) ?? new Set()).add(column));
  }

  async decide(): Promise<WhyDifference> {
    const { thing, causes } = this.#judged;
    const aboutNow = (): readonly string[] => [
      ...new Set([...unreadAt(this.#judged), ...this.#damaged.keys()]),
    ];
    // The other judge may meet more unreadable rows.
    const decided = aboutNow().length === 0 ? await this.#judge?.decide() : undefined;
    const about = aboutNow();
    if (about.length === 0 && decided !== undefined) return decided;
    const sentence = (await this.#sameState()) ?? `not known: rows of it cannot be read on ${listed(about)}`;
    for (const [name, rows] of this.#undecoded)
      causes.takeAll(rows, causes.add({ rule: "unread", sentence: undecodedText(name, rows) }));
    if (this.#rows.count > 0 || this.#undecoded.size === 0)
      causes.takeAll(this.#rows, causes.add({ rule: "unread", sentence }));
    return causes.difference({ of: thing.of, id: thing.id }, { verdict: "unknown", sentence, about });
  }

  /** The sentence about a context with equal states if only deltas cannot be read; otherwise undefined. */
  async #sameState(): Promise<string | undefined> {
    const { thing, peers, causes } = this.#judged;
    const { id } = thing;
    if (thing.of !== "context" || id === undefined || !this.#hasSameRows) return undefined;
    const [a, b] = await Promise.all(peers.map(async (peer) => (await peer.contexts()).get(id)?.rootHash));
    if (a === undefined || a !== b) return undefined;
    const unread = peers.map(({ source }) => unreadOf(source.reader).undecodedOf(id));
    const deltas = unread.map((kinds) => kinds?.get("ContextDagDelta") ?? 0);
    const isOnly = unread.every((kinds, at) => kinds?.size === (deltas[at] === 0 ? 0 : 1));
    if (!isOnly) return undefined;
    const damaged = [...this.#damaged].map(
      ([name, columns]) => `rows of ${listed([...columns])} cannot be read on ${name}`,
    );
    return [unreadText(deltas, causes.names), ...damaged].join("; ");
  }
}

/** `row 21c39836 of B does not decode: what it holds is unknown` */
function undecodedText(name: string, { rows: [first], count }: DifferingRows): string {
  const row = shortId(first?.key.slice(-64) ?? "");
  return count === 1
    ? `row ${row} of ${first?.column} of node ${name} does not decode: what it holds is unknown`
    : `${counted(count, "row")} of node ${name}, the first of them ${row} of ${first?.column}, do not decode: what they hold is unknown`;
}

/** The names of the nodes with unreadable rows of the context, group or rest, as far as known by now. */
function unreadAt({ thing: { of, id, namespace }, peers }: JudgedThing): readonly string[] {
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

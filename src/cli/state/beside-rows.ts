/** Remarks on differences between a replayed state and the state in the rows. */
import { counted } from "../../bytes/quantity.js";
import { CalimeroNode } from "../../node/index.js";
import { type ContextReplay, contradictions, lostDeltas } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";

/** The most counted entities. */
const MOST = 1_000;

/**
 * Reports on stderr that the replayed state, which is shown, differs from the state in the rows, and which deltas are
 * lost. It moves the replay to its end.
 *
 * @param node the name of the node, if there are several
 */
export async function remarkOtherRows(
  terminal: Terminal,
  store: Store,
  replay: ContextReplay,
  node?: string,
): Promise<void> {
  const of = node === undefined ? "" : `${printable(node)}: `;
  const [first] = replay.graph.deltas;
  if (first !== undefined && replay.isOfRows && !replay.graph.hasHashes)
    terminal.remark(
      `${of}before delta ${first.id.slice(0, 8)} the history is not here: what it wrote is taken from the rows of now`,
    );
  const unread = new CalimeroNode(store).unread.rows.find(({ kind }) => kind === "ContextDagDelta");
  const undecoded = new Set([...(unread?.keys ?? [])].map((key) => key.slice(-64)));
  const lost = await lostDeltas(replay);
  const remark = (ids: readonly string[], one: string, several: string): void => {
    const [first] = ids;
    if (first === undefined) return;
    const which = ids.length === 1 ? first.slice(0, 8) : `${first.slice(0, 8)}, …`;
    const [is, it] = ids.length === 1 ? [one, "it"] : [several, "they"];
    terminal.remark(
      `${of}${counted(ids.length, "delta")} that the node had applied ${is} (${which}): nothing tells since when there is what only ${it} wrote`,
    );
  };
  remark(
    lost.filter((id) => !undecoded.has(id)),
    unread?.hasMore ? "is not there or does not decode" : "is not there",
    unread?.hasMore ? "are not there or do not decode" : "are not there",
  );
  remark(
    lost.filter((id) => undecoded.has(id)),
    "does not decode",
    "do not decode",
  );
  let count = 0;
  for await (const { mayBe } of contradictions(store, replay))
    if (mayBe === undefined && ++count === MOST) break;
  if (count > 0)
    terminal.remark(
      `${of}past values come from the replay of the deltas; the rows of ${count === MOST ? "at least " : ""}${counted(count, "entity", "entities")} have other data now, as "merostore verify" lists`,
    );
}

/** Rows that depend on the order in which this node applied concurrent operations. */
import { toHex } from "../../bytes/hex.js";
import { hasKind, type NodeReader, rowsAt } from "../tables/rows.js";
import { type ComparedRow, differingFields } from "./compare.js";
import { Orders } from "./orders.js";
import { type Replay, replay } from "./replay.js";
import type { ReplayedKind, ReplayedRows } from "./rows.js";
import { codecOf, idsOf, partsOf } from "./stored.js";
import { Touches } from "./touches.js";

/** The number of operations that may be applied in other orders, in total. */
const MOST_APPLIED = 8_000;
/** The number of times that all operations may be applied, whatever their number. */
const MOST_REPLAYS = 8;
/** The number of times that an order of few operations may fail when all operations are applied in that order. */
const MOST_MISTAKES = 4;

/**
 * Finds the rows among `doubtful` that another order of operations explains. No row tells which of two concurrent
 * operations this node applied first. A replay of all operations in the other order gives each row that is found.
 */
export async function dependingOnOrder(
  reader: NodeReader,
  run: Replay,
  doubtful: readonly ComparedRow[],
): Promise<ReadonlySet<ComparedRow>> {
  const depending = new Set<ComparedRow>();
  if (!run.sequence.hasChoice || doubtful.length === 0) return depending;
  const { size } = run.operations;
  let left = MOST_APPLIED + MOST_REPLAYS * size;
  const touches = new Touches();
  await replay(run, { sequence: run.sequence, touches });
  const open = new Map<ComparedRow, Doubt>();
  for (const row of doubtful) {
    const doubt = await doubtOf(reader, row);
    if (doubt !== undefined) open.set(row, doubt);
  }
  const keep = ({ rows }: Replay): void => {
    for (const [row, doubt] of open) {
      if (!leadsTo(rows, doubt)) continue;
      depending.add(row);
      open.delete(row);
    }
  };
  // The node that answered this one's request to join may have had another order, too.
  for (const defaultCapabilities of run.joining.otherDefaults.slice(0, MOST_REPLAYS)) {
    left -= size;
    keep(await replay(run, { sequence: run.sequence, joining: { ...run.joining, defaultCapabilities } }));
  }
  for (const [row, doubt] of open) {
    const orders = new Orders(run, touches.relevantTo(doubt.ids));
    // Looking for them costs about as much as applying them.
    left -= size;
    let mistakes = 0;
    for (const places of orders.places()) {
      left -= orders.size;
      if (left < 0) return depending;
      const part = await replay(run, {
        sequence: { ...run.sequence, order: orders.few(places) },
        whole: run,
      });
      if (!leadsTo(part.rows, doubt)) continue;
      left -= size;
      keep(await replay(run, { sequence: { ...run.sequence, order: orders.all(places) } }));
      if (depending.has(row) || ++mistakes === MOST_MISTAKES) break;
    }
  }
  return depending;
}

/** A row in doubt. */
interface Doubt {
  readonly kind: ReplayedKind;
  readonly ids: readonly string[];
  /** The stored value; undefined if the row is missing. */
  readonly value: unknown;
  readonly codec: ReturnType<typeof codecOf>;
}

async function doubtOf(reader: NodeReader, row: ComparedRow): Promise<Doubt | undefined> {
  if (row.kind === "NamespaceGovHead" || row.kind === "GroupOpHead" || !hasKind(reader, row.kind))
    return undefined;
  const kind = row.kind as ReplayedKind;
  const ids = idsOf(row).map(toHex);
  const [stored] = await rowsAt(reader, kind, [partsOf(reader, { kind, ids })]);
  if (stored === undefined && row.status !== "missing") return undefined;
  return { kind, ids, value: stored?.value, codec: codecOf(reader, kind) };
}

/** Returns whether the replay gives a row as it is stored. */
function leadsTo(rows: ReplayedRows, { kind, ids, value, codec }: Doubt): boolean {
  const row = rows.row(kind, ids);
  if (row === undefined || value === undefined) return row === undefined && value === undefined;
  return differingFields(codec, row.value, value).length === 0;
}

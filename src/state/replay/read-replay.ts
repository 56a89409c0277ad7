/** Reads the deltas of a context, and the state before the first of them, for a replay. */
import { toHex } from "../../bytes/hex.js";
import { type IdLike, idBytes } from "../../bytes/id.js";
import { type NodeReader, readerWith } from "../../node/tables/rows.js";
import { checkArgument, checkOptions, isList, isReader, type OptionChecks } from "../../options.js";
import { type ProgressOptions, progressOptions } from "../../progress.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { EntityRows } from "../entity-rows.js";
import { layoutOf } from "../layouts/layout-of.js";
import { type StateOptions, stateOptions } from "../state.js";
import { DeltaApplier } from "./apply.js";
import { readBase } from "./base.js";
import { ReplayCursor } from "./cursor.js";
import { readDeltas } from "./deltas.js";
import { EntityTree } from "./entity-tree.js";
import { DeltaGraph } from "./graph.js";
import { lostWrites } from "./lost-writes.js";
import { PackedDeltas } from "./packed-deltas.js";
import type { RecordedRoot } from "./record.js";
import { ContextReplay } from "./replay.js";
import { rootMergerOf } from "./root-merge.js";

/** Facts for a replay. */
export interface ReplayOptions extends Pick<StateOptions, "manifest" | "hints"> {
  /** Called while the deltas are read, from time to time, and at the end. An error that it throws ends the reading. */
  readonly onProgress?: ProgressOptions["onProgress"];
  /** Root hashes that a watcher recorded. Root hashes of other contexts have no effect. */
  readonly record?: readonly RecordedRoot[] | undefined;
  /** Ends the reading, and every later move of the replay, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const replayOptions: OptionChecks<StateOptions & ReplayOptions> = {
  ...stateOptions,
  ...progressOptions,
  record: isList,
};

/**
 * Reads the deltas of a context for a replay, and the state before the first of them.
 *
 * @param options also options of `stateOf`: the application's manifest, for merges of registers inside its own state;
 * and recorded root hashes
 * @throws MerostoreError `INVALID_ARGUMENT` for deltas in a layout that the revision does not have
 */
export async function readReplay(
  store: StoreReader<Schema>,
  context: IdLike,
  options: ReplayOptions = {},
): Promise<ContextReplay> {
  checkArgument("readReplay", store, isReader);
  checkOptions("readReplay", options, replayOptions);
  const { manifest, hints, record = [], signal, onProgress } = options;
  const contextId = idBytes(context);
  const reader = readerWith(store as unknown as NodeReader, signal);
  const layout = layoutOf(store.schema);
  const rows = new EntityRows(reader.raw, contextId, layout);
  const packed = new PackedDeltas(layout.replay.metadata);
  const all = await readDeltas(reader, rows, packed, { signal, onProgress });
  const graph = await DeltaGraph.of(packed.ids, all.applied);
  const tree = new EntityTree(layout.replay.childOrder, packed);
  // In a history with the first delta, missing deltas were lost: no state is older.
  const isJoined = all.checkpoints.size > 0 || (graph.isIncomplete && !graph.hasFirst);
  const base = isJoined ? await readBase(rows, graph.deltas, tree, all.checkpoints) : undefined;
  const merge = await rootMergerOf(rows, manifest, hints);
  const applier = new DeltaApplier(tree, toHex(contextId), merge, layout.replay.rules);
  const lost = graph.isIncomplete && !isJoined ? await lostWrites(rows, graph, tree) : undefined;
  const cursor = new ReplayCursor(tree, graph, applier, lost, signal);
  return new ContextReplay({ ...all, contextId: toHex(contextId), graph, cursor, base, record });
}

/** Sentences about operations and deltas, and the changes by deltas, beside the rows that `watch` prints. */
import { toHex } from "../../bytes/hex.js";
import { CalimeroNode } from "../../node/index.js";
import type { StateChange, StateHistory } from "../../state/index.js";
import type { Change, Store } from "../../store/index.js";
import { deltaLines, operationLines } from "../node/history-lines.js";
import { Labels } from "../node/labels.js";
import type { Terminal } from "../output/terminal.js";

/** The most sentences for changes that come together. If more come, only the rows are printed. */
const MOST = 20;
/** The greatest share of the time for sentences. */
const SHARE = 0.2;

const INDENT = 4;

/** The known facts about a new operation or delta. */
export interface Said {
  /** Its sentences; none if not wanted. */
  readonly lines: readonly string[];
  /** The changes of a delta in the application's data; undefined if unknown or not wanted. */
  readonly changes: readonly StateChange[] | undefined;
}

/** Options of sentences. */
export interface SentenceOptions {
  /** True if lines are wanted; otherwise only changes are. */
  readonly lines: boolean;
  readonly utc: boolean;
  /** True if sentences about deltas are allowed: their fields can be private. */
  readonly deltas: boolean;
  /** Reads the deltas of a context as changes of its data; undefined if only their number is shown. */
  readonly historyOf?: ((context: string) => Promise<StateHistory | undefined>) | undefined;
}

/** Makes sentences about written rows while there is time. */
export class Sentences {
  readonly #terminal: Terminal;
  readonly #node: CalimeroNode;
  readonly #options: SentenceOptions;
  /** The earliest time of the next sentences. */
  #next = 0;

  constructor(terminal: Terminal, store: Store, options: SentenceOptions) {
    this.#terminal = terminal;
    this.#node = new CalimeroNode(store);
    this.#options = options;
  }

  /** The known facts about rows that were written together, by row; only of new operations and deltas. */
  async of(changes: readonly Change[]): Promise<ReadonlyMap<Change, Said>> {
    const said = new Map<Change, Said>();
    const wanted = changes.filter((change) => this.#idOf(change) !== undefined);
    const begin = performance.now();
    if (wanted.length === 0 || wanted.length > MOST || begin < this.#next) return said;
    await this.#node.refresh();
    const labels = new Labels(this.#terminal, this.#node);
    const width = this.#terminal.width && this.#terminal.width - INDENT;
    const { utc, historyOf } = this.#options;
    const how = { labels, width, utc, patch: historyOf !== undefined };
    // The state changes, and may have new collections, so it is read once for these changes.
    const histories = new Map<string, StateHistory | undefined>();
    for (const change of wanted) {
      const { kind, id, context } = this.#idOf(change) as { kind: string; id: string; context: string };
      const operation = kind === "NamespaceGovOp" ? await this.#node.operation(id) : undefined;
      const delta = kind === "ContextDagDelta" ? await this.#node.delta(id) : undefined;
      if (delta && historyOf && !histories.has(context)) histories.set(context, await historyOf(context));
      const changes = delta && (await histories.get(context)?.changes(id));
      const texts = !this.#options.lines
        ? []
        : operation
          ? await operationLines(operation, how)
          : delta
            ? await deltaLines(delta, how, { changes })
            : [];
      const lines = texts.map((text) => " ".repeat(INDENT) + (how.patch ? text : text.trimStart()));
      said.set(change, { lines, changes });
    }
    const end = performance.now();
    this.#next = end + (end - begin) * (1 / SHARE - 1);
    return said;
  }

  /** The id of a new operation or delta. */
  #idOf(
    change: Change,
  ): { readonly kind: string; readonly id: string; readonly context: string } | undefined {
    if (change.type !== "put" || change.existed === true || !("kind" in change) || change.kind === null)
      return undefined;
    const { kind, key } = change;
    const { lines, deltas } = this.#options;
    if (!(kind === "NamespaceGovOp" && lines) && !(kind === "ContextDagDelta" && deltas)) return undefined;
    if (!("deltaId" in key)) return undefined;
    const context = "contextId" in key ? toHex(key.contextId as Uint8Array) : "";
    return { kind, id: toHex(key.deltaId as Uint8Array), context };
  }
}

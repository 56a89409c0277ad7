/** Operations and deltas in words, and what deltas change, beside the rows that `watch` prints. */
import { toHex } from "../bytes/hex.js";
import { CalimeroNode } from "../node/index.js";
import type { StateChange, StateHistory } from "../state/index.js";
import type { Change, Store } from "../store/index.js";
import { deltaLines, operationLines } from "./node/history-lines.js";
import { Labels } from "./node/labels.js";
import type { Terminal } from "./terminal.js";

/** Sentences for changes that come together; more come while much is written, and then the rows must do. */
const MOST = 20;
/** The share of the time that sentences may take. */
const SHARE = 0.2;

const INDENT = 4;

/** The known facts about a new operation or delta. */
export interface Said {
  /** Its sentences; none if they are not wanted. */
  readonly lines: readonly string[];
  /** The changes of a delta in the application's data; undefined if it is unknown or not wanted. */
  readonly changes: readonly StateChange[] | undefined;
}

/** Options of sentences. */
export interface SentenceOptions {
  /** True if lines are wanted. Without them only changes are. */
  readonly lines: boolean;
  readonly utc: boolean;
  /** True if deltas may be put into words: their fields can be private. */
  readonly deltas: boolean;
  /** Reads the deltas of a context as changes of its data; undefined where only their number is shown. */
  readonly historyOf?: ((context: string) => Promise<StateHistory | undefined>) | undefined;
}

/** Puts what is written into words, as long as there is time. */
export class Sentences {
  readonly #terminal: Terminal;
  readonly #node: CalimeroNode;
  readonly #options: SentenceOptions;
  /** When the next sentences may be made. */
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
    // The state moves on, and collections that are new in it have to be known: it is read once for these changes.
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

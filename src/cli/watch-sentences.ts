/** Operations and deltas in words, beside the rows that `watch` prints. */
import { toHex } from "../bytes/hex.js";
import { Node } from "../node/index.js";
import type { Change, Store } from "../store/index.js";
import { deltaLines, operationLines } from "./node/history-lines.js";
import { Labels } from "./node/labels.js";
import type { Terminal } from "./terminal.js";

/** Sentences for changes that come together; more come while much is written, and then the rows must do. */
const MOST = 20;
/** The share of the time that sentences may take. */
const SHARE = 0.2;

const INDENT = 4;

/** What is wanted of sentences. */
export interface SentenceOptions {
  readonly utc: boolean;
  /** Whether deltas may be put into words: their fields can be private. */
  readonly deltas: boolean;
}

/** Puts what is written into words, as long as there is time. */
export class Sentences {
  readonly #terminal: Terminal;
  readonly #node: Node;
  readonly #options: SentenceOptions;
  /** When the next sentences may be made. */
  #next = 0;

  constructor(terminal: Terminal, store: Store, options: SentenceOptions) {
    this.#terminal = terminal;
    this.#node = new Node(store);
    this.#options = options;
  }

  /** The lines of changes that came together, by change; without those that have none. */
  async of(changes: readonly Change[]): Promise<ReadonlyMap<Change, readonly string[]>> {
    const lines = new Map<Change, readonly string[]>();
    const wanted = changes.filter((change) => this.#idOf(change) !== undefined);
    const begin = performance.now();
    if (wanted.length === 0 || wanted.length > MOST || begin < this.#next) return lines;
    await this.#node.refresh();
    const labels = new Labels(this.#terminal, this.#node);
    const width = this.#terminal.width && this.#terminal.width - INDENT;
    const how = { labels, width, utc: this.#options.utc, patch: false };
    for (const change of wanted) {
      const { kind, id } = this.#idOf(change) as { kind: string; id: string };
      const operation = kind === "NamespaceGovOp" ? await this.#node.operation(id) : undefined;
      const delta = kind === "ContextDagDelta" ? await this.#node.delta(id) : undefined;
      const texts = operation
        ? await operationLines(operation, how)
        : delta
          ? await deltaLines(delta, how)
          : [];
      lines.set(
        change,
        texts.map((text) => " ".repeat(INDENT) + text.trimStart()),
      );
    }
    const end = performance.now();
    this.#next = end + (end - begin) * (1 / SHARE - 1);
    return lines;
  }

  /** The id of a new operation or delta. */
  #idOf(change: Change): { readonly kind: string; readonly id: string } | undefined {
    if (change.type !== "put" || change.existed === true || !("kind" in change) || change.kind === null)
      return undefined;
    const { kind, key } = change;
    if (kind !== "NamespaceGovOp" && !(kind === "ContextDagDelta" && this.#options.deltas)) return undefined;
    return "deltaId" in key ? { kind, id: toHex(key.deltaId as Uint8Array) } : undefined;
  }
}

/** Prints the reasons why nodes differ, as text and as JSON. */

import { counted } from "../../bytes/quantity.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { sameVerdicts, type WhyAnswer, type WhyCause, type WhyPair, type WhyRow } from "../../why/index.js";
import { WHOLE } from "../output/id-look.js";
import { wrapped } from "../output/lines.js";
import { SentenceLook } from "../output/sentence-look.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable, short } from "../output/text.js";
import { type DataDifferences, uncomparedLines } from "../state/diff-data.js";
import { shownJson } from "../state/past-state.js";
import { sideLabels } from "./labels.js";
import type { OpenSide } from "./options.js";

/** A pair of nodes, with the differing entries of the application's data. */
export interface Explained {
  readonly pair: WhyPair;
  /** Undefined if no data differs, or none was compared. */
  readonly data: DataDifferences | undefined;
}

/** The column in which sentences of causes begin. */
const INDENT = 15;

/** Prints answers as text. */
export class WhyText {
  readonly #terminal: Terminal;
  readonly #labels: ReadonlyMap<string, string>;
  readonly #most: number;
  readonly #look: SentenceLook;
  /** Contexts and groups that only some nodes have, by the text that names these nodes. */
  readonly #absent = new Map<string, { readonly context: string[]; readonly group: string[] }>();
  #unexplained = 0;
  #things = 0;

  private constructor(
    terminal: Terminal,
    labels: ReadonlyMap<string, string>,
    most: number,
    look: SentenceLook,
  ) {
    this.#look = look;
    this.#terminal = terminal;
    this.#labels = labels;
    this.#most = most;
  }

  /** Reads the labels of the things in the answers. */
  static async prepare(
    terminal: Terminal,
    sides: readonly OpenSide[],
    answers: readonly WhyAnswer[],
    most: number,
    utc: boolean,
  ): Promise<WhyText> {
    // Sorted, so that names do not depend on the order of the arguments.
    const sorted = sides.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const labels = new Map<string, string>();
    for (const kind of ["context", "group"] as const) {
      const ids = answers.flatMap(({ of, id }) => (of === kind && id !== undefined ? id : []));
      for (const [id, label] of await sideLabels(sorted, kind, ids)) labels.set(id, label);
    }
    const nodes = sorted.map(({ node }) => node);
    const look = new SentenceLook(terminal, nodes, utc);
    for (const { pairs } of answers)
      for (const { causes } of pairs)
        for (const { deltas, operations, contradictions, rows } of causes) {
          look.learn([...deltas, ...operations, ...rows.map(({ key }) => key.slice(-64))]);
          look.learn(contradictions.flatMap(({ entity, delta }) => [entity, ...(delta ? [delta.id] : [])]));
        }
    return new WhyText(terminal, labels, most, look);
  }

  /** Prints an answer, in short form if nothing needs an explanation and it is one of many. */
  async print(answer: WhyAnswer, explained: readonly Explained[], isOnly: boolean): Promise<void> {
    const { of, id, sentence, pairs } = answer;
    const label = id === undefined ? "other rows" : (this.#labels.get(id) ?? id);
    this.#things++;
    for (const { unexplainedCount } of pairs) this.#unexplained += unexplainedCount;
    const isAbsent = pairs.some(({ verdict }) => verdict === "absent");
    const isSame = pairs.every(isExpected);
    if (isAbsent && !isOnly && isSame && of !== "rest") {
      this.#addAbsent(of, label, pairs);
      return;
    }
    const head =
      of === "rest" ? `${label}: ${printable(sentence)}.` : `${of} ${label}: ${printable(sentence)}.`;
    await this.#lines(head, 2);
    if (!isOnly && isSame) return;
    for (const one of explained) await this.#pair(one, explained.length > 1, head);
  }

  /** The lines of an answer in JSON: one for each pair, and with more than two nodes one about all before them. */
  async *json(
    names: readonly string[],
    { of, id, sentence }: WhyAnswer,
    explained: readonly Explained[],
  ): AsyncGenerator<string, void, undefined> {
    const whole: Whole = (text) => this.#look.withIds(text, WHOLE);
    const thing = of === "rest" ? { rest: true } : { [of]: id as string };
    if (names.length > 2) yield toJsonLine({ nodes: names, ...thing, sentence: await whole(sentence) });
    for (const { pair, data } of explained) yield toJsonLine(await pairJson(thing, pair, data, whole));
  }

  /** Prints the things that only some nodes have, and the number of rows without a cause. */
  async end(): Promise<void> {
    for (const [said, { context, group }] of this.#absent) {
      const lists = [thingsText("context", context), thingsText("group", group)].filter(
        (list) => list !== "",
      );
      await this.#lines(`${said} ${lists.join(", and ")}.`, 2);
    }
    if (this.#things > 1) await this.#lines(`unexplained in total: ${rowsText(this.#unexplained)}`, 2);
  }

  #addAbsent(of: "context" | "group", label: string, pairs: readonly WhyPair[]): void {
    const lacking = new Set(pairs.flatMap(({ verdict, about }) => (verdict === "absent" ? about : [])));
    const having = [...new Set(pairs.flatMap(({ nodes }) => nodes))].filter((name) => !lacking.has(name));
    const said =
      having.length === 0
        ? "only rows are left of"
        : `only ${having.map(printable).join(" and ")} ${having.length === 1 ? "has" : "have"}`;
    const list = this.#absent.get(said) ?? { context: [], group: [] };
    this.#absent.set(said, list);
    list[of].push(label);
  }

  async #pair({ pair, data }: Explained, isOneOfMany: boolean, head: string): Promise<void> {
    const { nodes, verdict, sentence, causes, unexplained, unexplainedCount } = pair;
    if (isOneOfMany) {
      const said = head.includes(printable(sentence)) ? "" : `: ${printable(sentence)}.`;
      await this.#lines(`  ${printable(nodes.join(" and "))}${said}`, 4);
      if (sameVerdicts.includes(verdict) && unexplainedCount === 0) return;
    }
    await this.#lines(`  verdict      ${verdict}`, INDENT);
    const operations = causes.filter(({ rule }) => rule === "operation");
    const left = new Set(operations.slice(this.#most));
    for (const cause of causes) if (!left.has(cause)) await this.#lines(`  ${causeText(cause)}`, INDENT);
    if (left.size > 0) {
      const rows = [...left].reduce((sum, cause) => sum + cause.rowCount, 0);
      await this.#lines(`  ${rowsCell(rows)}  … ${counted(left.size, "more operation")}`, INDENT);
    }
    await this.#lines(`  unexplained  ${rowsText(unexplainedCount)}`, INDENT);
    for (const row of unexplained) await this.#lines(`    ${rowText(row, nodes)}`, 6);
    if (unexplainedCount > unexplained.length)
      await this.#terminal.line(`    … ${counted(unexplainedCount - unexplained.length, "more row")}`);
    if (data !== undefined) await this.#entries(nodes, data);
  }

  async #entries(nodes: readonly [string, string], data: DataDifferences): Promise<void> {
    for (const line of uncomparedLines(data, this.#most)) await this.#lines(`  ${line}`, 4);
    if (data.count === 0) return;
    const rows = data.differences
      .slice(0, this.#most)
      .map(({ path, a, b }) => [`  ${visible(path)}`, a ?? "not there", b ?? "not there"]);
    const head = ["  entry", ...nodes];
    await printTable(this.#terminal, [head, ...rows], { right: [], cut: [1, 2, 0], leave: [] });
    const others = data.count - rows.length;
    if (others > 0) await this.#terminal.line(`  … ${counted(others, "more entry", "more entries")}`);
  }

  async #lines(text: string, indent: number): Promise<void> {
    const shown = await this.#look.show(text);
    await this.#terminal.lines(wrapped(shown, this.#terminal.width, indent));
  }
}

/** `contexts lobby (b875f1c0), old (8d587abf)`; empty if there are none. */
function thingsText(what: string, labels: readonly string[]): string {
  return labels.length === 0 ? "" : `${what}${labels.length === 1 ? "" : "s"} ${labels.join(", ")}`;
}

function isExpected({ verdict, unexplainedCount }: WhyPair): boolean {
  return unexplainedCount === 0 && (verdict === "absent" || sameVerdicts.includes(verdict));
}

/** The most fields in the line of a row. */
const FIELDS = 3;

function rowsText(count: number): string {
  return count === 0 ? "no row" : counted(count, "row");
}

function rowsCell(count: number): string {
  return rowsText(count).padEnd(INDENT - 4);
}

function causeText({ sentence, rowCount }: WhyCause): string {
  return `${rowsCell(rowCount)}  ${printable(sentence)}`;
}

/** `GroupMember 2bfa… differs in role` */
function rowText({ column, kind, key, in: having, fields }: WhyRow, nodes: readonly string[]): string {
  const paths = fields.length === 0 ? "" : ` in ${printable(fields.slice(0, FIELDS).join(", "))}`;
  const where =
    having.length === nodes.length ? `differs${paths}` : `is only in ${printable(having.join(""))}`;
  return `${printable(column)} ${kind ?? "unknown row"} ${short(key, WHOLE)} ${where}`;
}

/** Makes the ids of a sentence whole. */
type Whole = (sentence: string) => Promise<string>;

async function pairJson(
  thing: { readonly [name: string]: Json },
  { nodes, verdict, sentence, about, causes, unexplained, unexplainedCount }: WhyPair,
  data: DataDifferences | undefined,
  whole: Whole,
): Promise<Json> {
  const entries = (data?.differences ?? []).map(({ path, a, b }) => ({
    path,
    values: [a, b].map((text) => (text === undefined ? null : shownJson(text))),
  }));
  return {
    nodes,
    ...thing,
    verdict,
    sentence: await whole(sentence),
    about,
    causes: await Promise.all(
      causes.map(async ({ rule, sentence: said, rows, rowCount, deltas, operations, contradictions }) => ({
        rule,
        sentence: await whole(said),
        rows: rowsJson(rows),
        rowCount,
        deltas,
        operations,
        // The hashes of data are left out: a short secret could be guessed from its hash.
        entities: contradictions.map(({ entity, how, delta }) => ({ entity, how, delta: delta?.id ?? null })),
      })),
    ),
    entries,
    entryCount: data?.count ?? 0,
    uncompared: data?.uncompared.map(({ path, why }) => ({ path, why })) ?? [],
    uncomparedCount: data?.uncomparedCount ?? 0,
    unexplained: unexplainedCount,
    unexplainedRows: rowsJson(unexplained),
  };
}

function rowsJson(rows: readonly WhyRow[]): Json {
  return rows.map(({ column, kind, key, in: having, fields }) => ({ column, kind, key, in: having, fields }));
}

import { fromHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { isMerostoreError, MerostoreError } from "../../errors.js";
import type { Named, Node } from "../../node/index.js";
import { type State, type StateOptions, stateOf } from "../../state/index.js";
import { type WhyCause, type WhyContext, type WhySource, whyDiffer, wrongVerdicts } from "../../why/index.js";
import { command } from "../command.js";
import { wrapped } from "../lines.js";
import { json, reading } from "../options.js";
import { type DataDifference, diffStates } from "../state/diff-data.js";
import { manifestOptions } from "../state/manifest-file.js";
import { shownJson } from "../state/past-state.js";
import { hints, hintsIn, manifestIfAny } from "../state/used-state.js";
import type { Terminal } from "../terminal.js";
import { clip, printable } from "../text.js";
import { type OpenSide, withNodes } from "./options.js";

/** Entries that text shows of a context. */
const ENTRIES = 10;

/** Prints why two nodes differ. */
export const why = command({
  words: "why <a> <b> [context]",
  description: "why two nodes differ in the state of a context: the cause of each row that differs",
  options: { ...manifestOptions, hints, json, ...reading },
  help: `Replays the deltas of both nodes and compares their rows. The verdict is a sentence: a node left or was removed, does
not hold the key of the group, waits for a delta, is behind, took over the older deltas with a snapshot; or its state
is not what its deltas lead to, which is an error, and then the replay says which node is right. Every row that differs
has one cause; the number of those without one is always printed. Without a context: all that both nodes have.

Examples:
  merostore why node-a/data node-c/data lobby
  merostore why node-a/data node-b/data
  merostore why node-a/data node-c/data lobby --json

Status 0 if the nodes agree, or the reason is expected of correct nodes; 1 if a state is wrong, or a row has no cause.`,

  async run(terminal, given, options) {
    return withNodes(terminal, [given.a, given.b], options, async (sides) => {
      const [a, b] = sides.map(({ name, store, node }): WhySource => ({ name, reader: store, node })) as [
        WhySource,
        WhySource,
      ];
      const { store, labels } = sides[0] as OpenSide;
      let isWrong = false;
      for (const context of await contextsOf(a.node, b.node, given.context)) {
        const contextId = fromHex(context.id);
        const manifest = await manifestIfAny(terminal, given.a, store, contextId, options, "silently");
        const how = { manifest, hints: hintsIn(options.hints) };
        const found = await whyDiffer(a, b, contextId, how);
        const differences = found.verdict === "equal" ? [] : await entriesOf([a, b], contextId, how);
        if (wrongVerdicts.includes(found.verdict) || found.unexplained.length > 0) isWrong = true;
        if (options.json) {
          await terminal.line(toJsonLine(jsonOf([a.name, b.name], found, differences)));
          continue;
        }
        await labels.prepare([context]);
        await print(terminal, labels.of(context), found, differences);
      }
      return isWrong ? 1 : 0;
    });
  },
});

/** The entries of the application's data that differ. */
async function entriesOf(
  sources: readonly [WhySource, WhySource],
  contextId: Uint8Array,
  options: StateOptions,
): Promise<readonly DataDifference[]> {
  const [a, b] = await Promise.all(sources.map(({ reader }) => stateOf(reader, contextId, options)));
  return (await diffStates(a as State, b as State)).differences;
}

/** The contexts to compare: the one that was typed, or all that both have. */
async function contextsOf(a: Node, b: Node, typed: string | undefined): Promise<readonly Named[]> {
  if (typed !== undefined)
    return [
      await a.resolve(typed, ["context"]).catch((error: unknown) => {
        if (isMerostoreError(error) && error.code === "UNKNOWN_NAME") return b.resolve(typed, ["context"]);
        throw error;
      }),
    ];
  const inB = new Set((await b.contextFacts()).map(({ context }) => context.id));
  const common = (await a.contextFacts()).flatMap(({ context }) => (inB.has(context.id) ? context : []));
  if (common.length === 0)
    throw new MerostoreError("UNKNOWN_NAME", "the databases have no context in common");
  return common;
}

async function print(
  terminal: Terminal,
  label: string,
  { verdict, sentence, causes, unexplained }: WhyContext,
  differences: readonly DataDifference[],
): Promise<void> {
  const lines = [`${label}: ${printable(sentence)}.`, `  verdict      ${verdict}`];
  for (const cause of causes) lines.push(`  ${causeText(cause)}`);
  lines.push(`  unexplained  ${unexplained.length === 0 ? "no row" : counted(unexplained.length, "row")}`);
  for (const line of lines) for (const part of wrapped(line, terminal.width, 15)) await terminal.line(part);
  for (const { path, a, b } of differences.slice(0, ENTRIES))
    await terminal.line(
      clip(`  ${visible(path)}: ${a ?? "not there"} | ${b ?? "not there"}`, terminal.width),
    );
  if (differences.length > ENTRIES)
    await terminal.line(`  … ${counted(differences.length - ENTRIES, "more entry", "more entries")}`);
}

function causeText({ sentence, rows }: WhyCause): string {
  return `${counted(rows.length, "row").padEnd(11)}  ${printable(sentence)}`;
}

function jsonOf(
  nodes: readonly string[],
  { context, verdict, sentence, causes, unexplained }: WhyContext,
  differences: readonly DataDifference[],
): Json {
  const entries = differences.map(({ path, a, b }) => ({
    path,
    values: [a, b].map((text) => (text === undefined ? null : shownJson(text))),
  }));
  return {
    nodes,
    context,
    verdict,
    sentence,
    causes: causes.map((cause) => ({
      rule: cause.rule,
      sentence: cause.sentence,
      rows: cause.rows.map(({ column, key }) => ({ column, key })),
      deltas: cause.deltas,
      // Without hashes of data: a short secret could be guessed from them.
      entities: cause.contradictions.map(({ entity, how, delta }) => ({
        entity,
        how,
        delta: delta?.id ?? null,
      })),
    })),
    entries,
    unexplained: unexplained.length,
    unexplainedRows: unexplained.map(({ column, key }) => ({ column, key })),
  };
}

import { fromHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { MerostoreError } from "../../errors.js";
import { Node } from "../../node/index.js";
import { type State, stateOf } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { type WhyCause, type WhyContext, type WhySource, whyDiffer, wrongVerdicts } from "../../why/index.js";
import { command } from "../command.js";
import { openDatabase } from "../database.js";
import { remarkEncrypted } from "../encrypted.js";
import { wrapped } from "../lines.js";
import { json, reading } from "../options.js";
import { sideNames } from "../side-names.js";
import { type DataDifference, diffStates } from "../state/diff-data.js";
import { manifestOptions } from "../state/manifest-file.js";
import { shownJson } from "../state/past-state.js";
import { hints, hintsIn, manifestIfAny } from "../state/used-state.js";
import type { Terminal } from "../terminal.js";
import { clip, printable } from "../text.js";

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
    await using storeA = await openDatabase(terminal, given.a, options);
    await using storeB = await openDatabase(terminal, given.b, options);
    for (const store of [storeA, storeB]) if (await remarkEncrypted(terminal, store, options)) return 3;
    const names = sideNames(given.a, given.b);
    const sourceOf = (store: Store, name: string): WhySource => ({
      name,
      reader: store,
      node: new Node(store),
    });
    const [a, b] = [sourceOf(storeA, names[0]), sourceOf(storeB, names[1])];
    const contexts = await contextsOf(a.node, b.node, given.context);
    let isWrong = false;
    for (const id of contexts) {
      const contextId = fromHex(id);
      const manifest = await manifestIfAny(terminal, given.a, storeA, contextId, options, "silently");
      const how = { manifest, hints: hintsIn(options.hints) };
      const found = await whyDiffer(a, b, contextId, how);
      const states = await Promise.all([storeA, storeB].map((store) => stateOf(store, contextId, how)));
      const { differences } =
        found.verdict === "equal"
          ? { differences: [] }
          : await diffStates(states[0] as State, states[1] as State);
      if (wrongVerdicts.includes(found.verdict) || found.unexplained > 0) isWrong = true;
      if (options.json) await terminal.line(toJsonLine(jsonOf(names, found, differences)));
      else await print(terminal, await labelOf(a.node, id), found, differences);
    }
    return isWrong ? 1 : 0;
  },
});

/** The contexts to compare: the one that was typed, or all that both have. */
async function contextsOf(a: Node, b: Node, typed: string | undefined): Promise<readonly string[]> {
  if (typed !== undefined) {
    const found = await a.resolve(typed, ["context"]).catch(() => b.resolve(typed, ["context"]));
    return [found.id];
  }
  const [ofA, ofB] = await Promise.all(
    [a, b].map(async (node) => (await node.contextFacts()).map((one) => one.context.id)),
  );
  const common = (ofA ?? []).filter((id) => ofB?.includes(id));
  if (common.length === 0)
    throw new MerostoreError("UNKNOWN_NAME", "the databases have no context in common");
  return common;
}

async function labelOf(node: Node, id: string): Promise<string> {
  const { name } = (await node.names()).context(id);
  const digits = id.slice(0, 8);
  return name === undefined ? digits : `${printable(name)} (${digits})`;
}

async function print(
  terminal: Terminal,
  label: string,
  { verdict, sentence, causes, unexplained }: WhyContext,
  differences: readonly DataDifference[],
): Promise<void> {
  const lines = [`${label}: ${printable(sentence)}.`, `  verdict      ${verdict}`];
  for (const cause of causes) lines.push(`  ${causeText(cause)}`);
  lines.push(`  unexplained  ${unexplained === 0 ? "no row" : counted(unexplained, "row")}`);
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
      entities: cause.contradictions.map(({ entity, how, wanted, found, delta }) => ({
        entity,
        how,
        wanted: wanted ?? null,
        found: found ?? null,
        delta: delta?.id ?? null,
      })),
    })),
    entries,
    unexplained,
  };
}

/**
 * The causes why several nodes differ. Compares each node with the first, or every pair, and sums up the pairs in one
 * sentence.
 */
import { counted } from "../bytes/quantity.js";
import { invalidArgument } from "../errors.js";
import { checkArgument, checkOptions, isFlag, isListOf, type OptionChecks } from "../options.js";
import type { WhyDifference } from "./causes.js";
import { listed, Naming } from "./naming.js";
import { comparePair, type WhyOptions, whyOptions } from "./pair.js";
import { Peer, type WhySource } from "./side.js";
import { sameVerdicts } from "./verdict.js";

const isSources = isListOf(
  "a list of nodes, each with a name, a reader and a node",
  "name",
  "reader",
  "node",
);

/** The comparison of two nodes. */
export interface WhyPair extends WhyDifference {
  /** The names of the two nodes. */
  readonly nodes: readonly [a: string, b: string];
}

/** The causes why nodes differ in a context, in a group, or in the rows that belong to neither. */
export interface WhyAnswer extends Pick<WhyDifference, "of" | "id"> {
  /** One sentence about all nodes, without a full stop. */
  readonly sentence: string;
  /** The pairs that were compared, in the order of the nodes. */
  readonly pairs: readonly WhyPair[];
}

/** The options of {@link whyDiffer}. */
export interface WhyNodesOptions extends WhyOptions {
  /** True to compare every pair of nodes. By default, each node is compared with the first. */
  readonly all?: boolean | undefined;
}

/**
 * Finds out why nodes differ. Replays the deltas and operations of each node, and compares the rows of each pair in one
 * pass. Contexts come first, then groups, then the rows that belong to neither.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for fewer than two nodes
 * @example
 * const left = { name: "node-a", reader: a, node: new CalimeroNode(a) };
 * const right = { name: "node-b", reader: b, node: new CalimeroNode(b) };
 * for (const { of, id, sentence } of await whyDiffer([left, right])) console.log(of, id, sentence);
 */
export async function whyDiffer(
  sources: readonly WhySource[],
  nodesOptions: WhyNodesOptions = {},
): Promise<readonly WhyAnswer[]> {
  checkArgument("whyDiffer", sources, isSources);
  checkOptions("whyDiffer", nodesOptions, {
    ...whyOptions,
    all: isFlag,
  } satisfies OptionChecks<WhyNodesOptions>);
  const { all = false, ...options } = nodesOptions;
  if (sources.length < 2) throw invalidArgument("whyDiffer takes two nodes or more");
  const peers = sources.map((source) => new Peer(source));
  const naming = await Naming.read(sources);
  const found = new Map<
    string,
    { readonly thing: Pick<WhyDifference, "of" | "id">; readonly pairs: WhyPair[] }
  >();
  for (const [at, a] of peers.entries())
    for (const b of peers.slice(at + 1)) {
      if (at > 0 && !all) break;
      for (const difference of await comparePair([a, b], naming, options)) {
        const { of, id } = difference;
        const known = found.get(`${of} ${id}`) ?? { thing: { of, id }, pairs: [] };
        found.set(`${of} ${id}`, known);
        known.pairs.push({ ...difference, nodes: [a.name, b.name] });
      }
    }
  const names = peers.map(({ name }) => name);
  const ranks = ["context", "group", "rest"];
  return [...found.values()]
    .toSorted((a, b) => ranks.indexOf(a.thing.of) - ranks.indexOf(b.thing.of))
    .map(({ thing, pairs }) => ({ ...thing, sentence: sentenceOf(thing.of, names, pairs), pairs }));
}

/** Sums up the pairs in one sentence. */
function sentenceOf(of: WhyDifference["of"], names: readonly string[], pairs: readonly WhyPair[]): string {
  const [only] = pairs;
  if (names.length === 2 && only !== undefined) return only.sentence;
  const [first] = names as [string];
  const beside = pairs.filter(({ nodes }) => nodes[0] === first);
  const partners = names.slice(1);
  const pairOf = (name: string): WhyPair | undefined => beside.find(({ nodes }) => nodes[1] === name);
  const lacking = new Set(pairs.flatMap(({ verdict, about }) => (verdict === "absent" ? about : [])));
  if (lacking.size > 0) return absentText(names, lacking, pairs);
  const differing = partners.filter((name) => !isSame(pairOf(name)));
  const [one] = differing;
  if (one === undefined && of === "rest") return only?.sentence ?? "";
  if (one === undefined)
    return `all ${counted(names.length, "node")} have the same ${of === "context" ? "state" : "operations"}`;
  const others = names.filter((name) => name !== one);
  if (differing.length === 1) return `${one} differs from ${listed(others)}: ${pairOf(one)?.sentence}`;
  const isFirst = differing.length === partners.length && beside.every(({ about }) => about.join() === first);
  if (isFirst) return `${first} differs from ${listed(partners)}: ${only?.sentence}`;
  return `${listed(differing)} differ from ${first}`;
}

/** The sentence about a context or group that some nodes do not have. */
function absentText(
  names: readonly string[],
  lacking: ReadonlySet<string>,
  pairs: readonly WhyPair[],
): string {
  const having = names.filter((name) => !lacking.has(name));
  const not = names.filter((name) => lacking.has(name));
  if (having.length === 0) return pairs[0]?.sentence ?? "";
  const differing = pairs.filter((pair) => pair.verdict !== "absent" && !isSame(pair));
  const rest = differing.map(({ sentence }) => `; ${sentence}`).join("");
  if (having.length === 1) return `only ${having[0]} has it${rest}`;
  return `${listed(having)} have it, and ${listed(not)} ${not.length === 1 ? "does" : "do"} not${rest}`;
}

function isSame(pair: WhyPair | undefined): boolean {
  return pair === undefined || sameVerdicts.includes(pair.verdict);
}

/** Suggests the next commands, from the status of a node. */
import type { Named } from "../../node/index.js";
import { opening } from "../arguments/options.js";
import { typedOptions } from "../arguments/parser.js";
import type { DatabaseOptions } from "../database/database.js";
import { programName, shellWord } from "../output/text.js";
import type { NodeStatus } from "./node-facts.js";
import type { QuickCheck } from "./quick-check.js";

/** A command, and the reason for it. */
export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

/** The facts for the choice. */
export interface Seen {
  readonly db: string;
  /** The options of the opening, which the commands need too. */
  readonly options: DatabaseOptions;
  /** True if a column family cannot be read to its end. */
  readonly isDamaged: boolean;
  readonly rows: number;
  /** True if the revision has entities, which `state` shows. */
  readonly entities: boolean;
  readonly check: QuickCheck | undefined;
  readonly node: NodeStatus | undefined;
  /** Returns the word for a thing: its name if it is unique. */
  readonly wordOf: (thing: Named) => Promise<string>;
}

/** The most shown commands. */
const SHOWN = 3;

const READING = Object.keys(opening) as (keyof typeof opening)[];

/** The three best commands, the most urgent first. */
export async function nextCommands(seen: Seen): Promise<readonly NextCommand[]> {
  const { db, options, isDamaged, rows, entities, check, node, wordOf } = seen;
  const found: NextCommand[] = [];
  const add = (words: string, why: string, names: readonly (keyof typeof opening)[] = READING): void => {
    const [verb, ...rest] = words.split(" ");
    const given = typedOptions(options, names).map(shellWord);
    found.push({ command: [programName(), verb, shellWord(db), ...rest, ...given].join(" "), why });
  };
  const contexts = node?.contexts ?? [];
  if (isDamaged) add("recover recovered", "save what can be read", ["keyFile"]);
  if (check !== undefined && check.errors + check.warnings > 0)
    add("verify", "what is wrong, and what to do");
  if (contexts.some(({ pending = 0 }) => pending > 0) || node?.groups.some(({ work }) => work.length > 0))
    add("stuck", "what it waits for");
  if (check !== undefined && check.errors + check.warnings === 0 && check.leftOut.length > 0)
    add("verify", "check everything");
  const [latest] = contexts.filter(({ deltas = 0 }) => deltas > 0);
  const namespace = node?.groups.find(({ above, operations = 0 }) => above.length === 0 && operations > 0);
  if (latest !== undefined) {
    const word = await wordOf(latest.context);
    add(`log ${word} --limit 10`, "the newest changes");
    if (entities) add(`state ${word}`, "the application's data");
  }
  if (namespace !== undefined) add(`log ${await wordOf(namespace.node.group)} --limit 10`, "who did what");
  if (rows > 0) {
    add("status --rows", "the rows of each kind");
    add("scan --limit 10", "rows in the order of their keys");
    add("verify", "check everything");
  }
  return found.slice(0, SHOWN);
}

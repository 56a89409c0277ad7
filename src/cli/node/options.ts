/** Options of the commands that answer in people's words, and the opening of their database. */
import { Node } from "../../node/index.js";
import type { Store } from "../../store/index.js";
import type { ExitStatus } from "../command.js";
import { type DatabaseOptions, openDatabase } from "../database.js";
import { flag, text } from "../option-kinds.js";
import { json, reading } from "../options.js";
import type { Terminal } from "../terminal.js";
import { Labels } from "./labels.js";

export const utc = flag("show times in UTC instead of local time");

/** Options that all these commands have. */
export const asking = { ...reading, json, utc };

export const at = text("<operation>", "as it was right after this operation of the namespace's log");

/** A node's database that is open, with the labels of its things. */
export interface OpenNode {
  readonly store: Store;
  readonly node: Node;
  readonly labels: Labels;
}

/** Opens the database of a command, runs it, and closes the database. */
export async function withNode(
  terminal: Terminal,
  db: string,
  options: DatabaseOptions & { readonly at?: string | undefined },
  run: (open: OpenNode) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  await using store = await openDatabase(terminal, db, options);
  const now = new Node(store);
  const node = options.at === undefined ? now : await now.at(options.at);
  return await run({ store, node, labels: new Labels(terminal, node) });
}

/** Options of what prints a page about one thing. */
export interface PageOptions {
  readonly json: boolean;
  readonly utc: boolean;
}

/** The history of a member of a group, operation by operation. */
import { type MemberChange, operationToJson } from "../../node/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { MORE } from "../output/limit.js";
import { wrapped } from "../output/lines.js";
import type { Terminal } from "../output/terminal.js";
import { operationLines } from "./history-lines.js";
import type { OpenNode } from "./options.js";

/** Prints the operations about a member of a group, oldest first, each with the rows that it changed. */
export async function printExplanation(
  terminal: Terminal,
  { node, labels }: OpenNode,
  {
    group,
    member,
    json,
    utc,
    patch,
    limit,
  }: {
    readonly group: string;
    readonly member: string;
    readonly json: boolean;
    readonly utc: boolean;
    readonly patch: boolean;
    readonly limit: number | undefined;
  },
): Promise<ExitStatus> {
  const explanations = await node.explain(group, member);
  if (explanations.length === 0) terminal.remark("no operation names this member in the group");
  for (const one of limit === undefined
    ? explanations
    : explanations.slice(Math.max(explanations.length - limit, 0))) {
    if (json) {
      const { operation, cause = null, set, removed } = one;
      const said = operation === undefined ? null : operationToJson(operation);
      await terminal.json({ operation: said, cause, set, removed });
      continue;
    }
    const { width } = terminal;
    const lines =
      one.operation === undefined
        ? wrapped(`by ${one.cause}`, width, 4)
        : await operationLines(one.operation, { labels, utc, patch, width });
    await terminal.lines([...lines, ...wrapped(`    ${changesOf(one)}`, width, 6)]);
  }
  if (json && limit !== undefined && limit < explanations.length) await terminal.line(MORE);
  return 0;
}

function changesOf({ set, removed }: MemberChange): string {
  return [
    ...(set.length === 0 ? [] : [`sets ${set.join(", ")}`]),
    ...(removed.length === 0 ? [] : [`removes ${removed.join(", ")}`]),
  ].join("; ");
}

import { count, counted } from "../../bytes/quantity.js";
import type { CalimeroNode } from "../../node/index.js";
import { type ContextMigration, contextMigrations } from "../../state/index.js";
import { command } from "../arguments/command.js";
import { printable } from "../output/text.js";
import { withoutRow } from "./context-page.js";
import { idAndName, type Labels } from "./labels.js";
import { nodeOptions, withNode } from "./options.js";

/** Prints the application version of each context. Status 1 if one is behind. */
export const migration = command({
  words: "migration <db>",
  description: "list contexts by the version of their application, and why one is behind",
  options: nodeOptions,
  help: `A context is behind if it runs other code than its group names. Then its migration failed, or the node lacks the
code, or the context takes the new version only when it is next used. Each entity has the version of the schema
with which it was written last; an older one is rewritten when the application next writes it. Reads the whole
state.

Examples:
  merostore migration node/data
  merostore migration node/data --json

Status 1 if a context is behind.`,

  async run(terminal, { db }, options) {
    return withNode(terminal, db, options, async ({ store, node, labels }) => {
      const byVersion = new Map<string, ContextMigration[]>();
      let isBehind = false;
      for await (const one of contextMigrations(store)) {
        terminal.check();
        isBehind ||= one.isBehind;
        if (options.json) {
          await terminal.json(await jsonOf(node, one));
          continue;
        }
        const version = `${one.application ?? ""} ${one.wanted ?? ""}`;
        byVersion.set(version, [...(byVersion.get(version) ?? []), one]);
      }
      if (!options.json && byVersion.size === 0) terminal.remark("no contexts");
      for (const all of byVersion.values())
        for (const line of await versionLines(node, labels, all)) await terminal.wrapped(line, 6);
      return isBehind ? 1 : 0;
    });
  },
});

/** The lines of contexts that should run the same code, with contexts that are behind first. */
async function versionLines(
  node: CalimeroNode,
  labels: Labels,
  all: readonly ContextMigration[],
): Promise<string[]> {
  const [{ application, wanted, applicationStateVersion }] = all as readonly [ContextMigration];
  const names = await node.names();
  const named = application === undefined ? undefined : names.application(application, wanted);
  const state =
    applicationStateVersion === undefined ? "" : `, application state version ${applicationStateVersion}`;
  await labels.prepare([wanted]);
  const code = wanted === undefined ? "" : `, code ${labels.id(wanted)}`;
  const lines = [
    named === undefined ? withoutRow(all[0] as ContextMigration) : `${labels.name(named)}${code}${state}`,
  ];
  for (const one of all.toSorted((a, b) => Number(b.isBehind) - Number(a.isBehind))) {
    const context = names.context(one.context);
    await labels.prepare([context, one.code, one.executing]);
    lines.push(`  ${labels.of(context)}  ${reasonsOf(one, labels).join("; ")}`);
  }
  return lines;
}

/** The reasons why a context is behind, if it is; then other parts with an older version. */
function reasonsOf(one: ContextMigration, labels: Labels): readonly string[] {
  const { code, wanted, isBehind, failed, lacksCode, method, waiting, stateVersion, wantedStateVersion } =
    one;
  const reasons: string[] = [];
  if (one.isUnread) return ["unknown: its row does not decode"];
  if (one.application === undefined) return ["this node never joined the context"];
  if (isBehind) reasons.push(`behind: runs code ${labels.id(code as string)}`);
  else if (code === undefined) reasons.push("no row names the code that it runs");
  else if (wanted === undefined) reasons.push("unknown: no row names the code that it should run");
  if (one.executing !== undefined && one.executing !== code)
    reasons.push(`executes code ${labels.id(one.executing)}`);
  if (failed !== undefined)
    reasons.push(
      failed === "aborted"
        ? "its migration failed: its check aborted it"
        : "its migration failed: it could not be applied",
    );
  if (lacksCode) reasons.push("this node does not have the code");
  if (isBehind && failed === undefined && !lacksCode) {
    const by = method === undefined ? "" : ` by ${printable(method)}`;
    reasons.push(`takes the new version${by} when it is next used`);
  }
  if (waiting > 0)
    reasons.push(`${counted(waiting, "delta")} of another version ${waiting === 1 ? "waits" : "wait"}`);
  if (stateVersion !== undefined) reasons.push(`state version ${stateVersion}`);
  if (
    !isBehind &&
    stateVersion !== undefined &&
    wantedStateVersion !== undefined &&
    stateVersion < wantedStateVersion
  )
    reasons.push(`the upgrade leads to state version ${wantedStateVersion}`);
  const versions = [...one.entities].toSorted(([a = -1], [b = -1]) => a - b);
  if (versions.some(([version]) => version !== undefined))
    reasons.push(
      `entities: ${versions.map(([version, of]) => `${count(of)} ${version === undefined ? "without a version" : `of version ${version}`}`).join(", ")}`,
    );
  return isBehind ||
    (reasons.length > 0 && (failed !== undefined || lacksCode || code === undefined || wanted === undefined))
    ? reasons
    : ["up to date", ...reasons];
}

async function jsonOf(node: CalimeroNode, one: ContextMigration): Promise<object> {
  const names = await node.names();
  const { context, group, application, entities, ...rest } = one;
  return {
    ...idAndName(names.context(context)),
    group: group === undefined ? null : idAndName(names.group(group)),
    application: application === undefined ? null : idAndName(names.application(application)),
    code: rest.code ?? null,
    executing: rest.executing ?? null,
    wanted: rest.wanted ?? null,
    isUnread: rest.isUnread,
    isBehind: rest.isBehind,
    method: rest.method ?? null,
    failed: rest.failed ?? null,
    lacksCode: rest.lacksCode,
    waiting: rest.waiting,
    stateVersion: rest.stateVersion ?? null,
    applicationStateVersion: rest.applicationStateVersion ?? null,
    wantedStateVersion: rest.wantedStateVersion ?? null,
    entities: Array.from(entities, ([version, of]) => ({ version: version ?? null, entities: of })),
  };
}

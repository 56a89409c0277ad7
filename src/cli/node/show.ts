import { toJsonLine } from "../../bytes/visible.js";
import { MerostoreError } from "../../errors.js";
import { type Named, operationToJson, thingToJson } from "../../node/index.js";
import { command } from "../command.js";
import { withWholeIds } from "../ids.js";
import { fieldLines } from "../lines.js";
import { base58, revealSecrets } from "../options.js";
import { parseKey, usageOf } from "../parts.js";
import { rowForm, withPrivateEntities } from "../rows.js";
import { historyFor } from "../state/delta-changes.js";
import { manifestOptions } from "../state/manifest-file.js";
import { hints, type StateOptionValues } from "../state/used-state.js";
import type { Terminal } from "../terminal.js";
import { count, printable, size } from "../text.js";
import { printContext } from "./context-page.js";
import { printGroup } from "./group-page.js";
import { operationLines } from "./history-lines.js";
import { idAndName } from "./labels.js";
import { printDelta } from "./log.js";
import { asking, type OpenNode, type PageOptions, withNode } from "./options.js";

/** Prints whatever an id or a name stands for, and the rows that have it. */
export const show = command({
  words: "show <db> <thing> [parts...]",
  description: "whatever an id or a name stands for, and how many rows have it",
  options: { ...manifestOptions, hints, ...asking, base58, revealSecrets },
  help: `A thing is a group, context, member, application, device, blob, operation or delta: given by its name, its id, or at
least four first digits of its id. A row is given as KIND part=value. Reads every row once to count those that have
the id.

Examples:
  merostore show node/data office
  merostore show node/data fa3977a2
  merostore show node/data lobby --json
  merostore show node/data ContextMeta contextId=DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp

Status 1 if the row does not exist; 2 if nothing, or several things, have the name.`,

  async run(terminal, { db, thing, parts }, options) {
    return withNode(terminal, db, options, async (open) => {
      const { store, node } = open;
      if (parts.length > 0) {
        const keyClass = store.schema.row(thing).key;
        const key = parseKey(keyClass, await withWholeIds(store, keyClass, parts));
        const value = await store.raw.get(key.COLUMN, key.bytes);
        if (value === undefined) {
          terminal.remark(`merostore: no such row in ${key.COLUMN}`);
          return 1;
        }
        const shown = await withPrivateEntities(store, key.COLUMN, options);
        const form = rowForm(store.schema, key.COLUMN, { key: key.bytes, value }, shown);
        if (options.json) await terminal.line(toJsonLine(form));
        else
          for (const line of fieldLines(
            [
              [form.kind ?? "row", ""],
              ...Object.entries(form.parts ?? {}).map(([name, part]) => [name, String(part)] as const),
              ["value", printable(JSON.stringify(form.decoded ?? form.value ?? "redacted"))],
            ],
            terminal.width,
          ))
            await terminal.line(line);
        return 0;
      }
      const kind = store.schema.rows.find((row) => row.kind === thing);
      if (kind !== undefined)
        throw new MerostoreError(
          "INVALID_ARGUMENT",
          `name the parts of the row: ${thing} ${usageOf(kind.key)}`,
        );
      const found = await node.resolve(thing);
      await printThing(terminal, db, open, found, options);
      await printRowCounts(terminal, open, found, options);
      return 0;
    });
  },
});

async function printThing(
  terminal: Terminal,
  db: string,
  open: OpenNode,
  thing: Named,
  options: PageOptions & StateOptionValues,
): Promise<void> {
  const { node, labels } = open;
  const { json, utc } = options;
  const how = { labels, width: terminal.width, utc, patch: true };
  switch (thing.kind) {
    case "namespace":
    case "group":
      await printGroup(terminal, open, thing.id, options);
      return;
    case "context":
      await printContext(terminal, open, thing.id, options);
      return;
    case "operation": {
      const operation = await node.operation(thing.id);
      if (operation === undefined) break;
      if (json) await terminal.line(toJsonLine(operationToJson(operation)));
      else for (const line of await operationLines(operation, how)) await terminal.line(line);
      return;
    }
    case "delta": {
      const delta = await node.delta(thing.id);
      if (delta === undefined) break;
      const history = await historyFor(terminal, db, open.store, delta.context.id, options);
      await printDelta(terminal, delta, await history?.changes(delta.id), how, options);
      return;
    }
    case "application":
      await printApplication(terminal, open, thing, options);
      return;
    case "member":
    case "key":
      await printMember(terminal, open, thing, options);
      return;
    default:
  }
  if (json) await terminal.line(toJsonLine(thingToJson(thing)));
  else for (const line of fieldLines([[thing.kind, thing.id]], terminal.width)) await terminal.line(line);
}

async function printApplication(
  terminal: Terminal,
  { node, labels }: OpenNode,
  thing: Named,
  { json }: PageOptions,
): Promise<void> {
  const record = (await node.applications()).find(({ id }) => id === thing.id);
  const contexts = (await node.contexts()).filter(({ application }) => application?.id === thing.id);
  if (json) {
    const running = contexts.map(({ context }) => idAndName(context));
    await terminal.line(toJsonLine({ ...record, ...thingToJson(thing), contexts: running }));
    return;
  }
  await labels.prepare([thing, ...contexts.map(({ context }) => context)]);
  const services = record?.services.map(({ name }) => printable(name)).join(", ");
  const lines = fieldLines(
    [
      ["application", labels.name(thing)],
      ["id", thing.id],
      ["package", record?.package && printable(record.package)],
      ["version", record?.version && printable(record.version)],
      ["size", record && size(record.size)],
      ["source", record && printable(record.source)],
      ["signer", record?.signer && printable(record.signer)],
      ["blob", record?.blob],
      ["services", services || undefined],
      ["state version", record?.stateVersion === undefined ? undefined : String(record.stateVersion)],
      ["contexts", contexts.map(({ context }) => labels.of(context)).join(", ") || "none"],
    ],
    terminal.width,
  );
  for (const line of lines) await terminal.line(line);
}

async function printMember(
  terminal: Terminal,
  { node, labels }: OpenNode,
  thing: Named,
  { json }: PageOptions,
): Promise<void> {
  const memberships = await node.membershipsOf(thing.id);
  const own = await node.own();
  const isOwn = own.account === thing.id || own.publicKeys.has(thing.id);
  const devices = await node.devicesOf(thing.id);
  if (json) {
    const groups = memberships.map(({ group, role }) => ({ ...idAndName(group), role }));
    await terminal.line(toJsonLine({ ...thingToJson(thing), isOwn, groups, devices }));
    return;
  }
  await labels.prepare([thing, ...memberships.map(({ group }) => group)]);
  const lines = fieldLines(
    [
      [thing.kind, labels.name(thing)],
      ["id", thing.id],
      ["this node", isOwn ? "yes" : "no"],
      ["groups", memberships.map(({ group, role }) => `${labels.of(group)} as ${role}`).join(", ") || "none"],
      ["devices", devices.map(({ id, live }) => (live ? id : `${id} (revoked)`)).join(", ") || undefined],
    ],
    terminal.width,
  );
  for (const line of lines) await terminal.line(line);
}

/** How many rows of each kind have the id in their keys, and in their values. */
async function printRowCounts(
  terminal: Terminal,
  { store, node }: OpenNode,
  { id }: Named,
  { json }: PageOptions,
): Promise<void> {
  using progress = terminal.progress("show");
  const [inKeys, inValues] = [new Map<string, number>(), new Map<string, number>()];
  for await (const { column, row, in: where } of node.find(id, (rows) => progress.at(rows))) {
    const kind = store.schema.identify(column, row.key)?.kind ?? `${column} (unknown)`;
    if (where !== "value") inKeys.set(kind, (inKeys.get(kind) ?? 0) + 1);
    if (where !== "key") inValues.set(kind, (inValues.get(kind) ?? 0) + 1);
  }
  if (json) {
    const rows = { inKeys: Object.fromEntries(inKeys), inValues: Object.fromEntries(inValues) };
    await terminal.line(toJsonLine({ id, rows }));
    return;
  }
  const text = (counts: ReadonlyMap<string, number>): string | undefined =>
    [...counts].map(([kind, rows]) => `${printable(kind)} ${count(rows)}`).join(", ") || undefined;
  await terminal.line("");
  for (const line of fieldLines(
    [
      ["rows with the id", text(inKeys) ?? "none"],
      ["rows that refer to it", text(inValues) ?? "none"],
    ],
    terminal.width,
  ))
    await terminal.line(line);
}

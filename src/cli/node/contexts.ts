import { toJsonLine } from "../../bytes/visible.js";
import {
  type ContextDetails,
  type ContextSummary,
  contextCapabilityNames,
  type Named,
} from "../../node/index.js";
import { command } from "../command.js";
import { count, size, table } from "../text.js";
import { idAndName, type Labels } from "./labels.js";
import { dateText, fieldLines, wrapped } from "./lines.js";
import { asking, withNode } from "./options.js";

/** Prints the contexts of a node, or everything about one. */
export const contexts = command({
  words: "contexts <db> [context]",
  says: "contexts with their groups, applications and sizes; or everything about one",
  options: asking,
  help: `A context is given by its name, its id, or at least four first digits of its id. The context with the most deltas comes first.
"changed" is the time of the newest head by its author's clock. Reads the state and the keys of the deltas once to count them.

Examples:
  merostore contexts node/data
  merostore contexts node/data lobby
  merostore contexts node/data --json`,

  async run(terminal, { db, context }, options) {
    return withNode(terminal, db, options, async ({ node, labels }) => {
      if (context !== undefined) {
        const { id } = await node.resolve(context, ["context"]);
        const details = (await node.context(id)) as ContextDetails;
        if (options.json) {
          await terminal.line(toJsonLine(detailsToJson(details)));
          return 0;
        }
        await labels.prepare([details.context, details.group, details.application]);
        await labels.prepare(details.identities.map(({ member }) => member));
        for (const line of detailLines(details, labels, terminal.width, options.utc))
          await terminal.line(line);
        return 0;
      }
      const all = (await node.contexts()).toSorted((a, b) => b.deltas - a.deltas);
      if (options.json) {
        for (const one of all) await terminal.line(toJsonLine(summaryToJson(one)));
        return 0;
      }
      await labels.prepare(all.flatMap(({ context, group, application }) => [context, group, application]));
      for (const line of listLines(all, labels, options.utc))
        for (const part of wrapped(line, terminal.width, 4)) await terminal.line(part);
      return 0;
    });
  },
});

function listLines(all: readonly ContextSummary[], labels: Labels, utc: boolean): string[] {
  const name = (thing: Named | undefined): string => (thing === undefined ? "" : labels.name(thing));
  return table(
    [
      ["context", "deltas", "entries", "bytes", "changed", "group", "application"],
      ...all.map((one) => [
        labels.of(one.context),
        count(one.deltas),
        count(one.entries),
        size(one.bytes),
        one.changedAt === undefined ? "" : dateText(one.changedAt, utc),
        name(one.group),
        one.application === undefined ? "not joined" : name(one.application),
      ]),
    ],
    [1, 2, 3],
  );
}

function detailLines(one: ContextDetails, labels: Labels, width: number | undefined, utc: boolean): string[] {
  const list = (things: readonly string[]): string | undefined =>
    things.length === 0 ? undefined : things.join(", ");
  const { privateState, revisions } = one;
  return fieldLines(
    [
      ["context", labels.name(one.context)],
      ["id", one.context.id],
      ["group", one.group && labels.of(one.group)],
      ["application", one.application === undefined ? "not joined" : labels.of(one.application)],
      ["service", one.service],
      ["state", `${count(one.entries)} entries, ${size(one.bytes)}`],
      [
        "private state",
        privateState.rows === 0
          ? undefined
          : `${count(privateState.rows)} entries, ${size(privateState.bytes)}`,
      ],
      ["root hash", one.rootHash],
      ["deltas", count(one.deltas)],
      ["heads", list(one.heads)],
      ["changed", one.changedAt === undefined ? undefined : dateText(one.changedAt, utc)],
      [
        "members",
        list(
          one.identities.map(
            ({ member, publicKey }) =>
              `${labels.of(member)}${member.id === publicKey ? "" : ` key ${publicKey}`}`,
          ),
        ),
      ],
      [
        "capabilities",
        list(
          one.capabilities.map(({ member, mask }) => `${labels.of(member)}: ${contextCapabilityNames(mask)}`),
        ),
      ],
      ["revisions", revisions && `application ${revisions.application}, members ${revisions.members}`],
      [
        "marks",
        list(one.markers.map(({ marker, value }) => (value === undefined ? marker : `${marker}: ${value}`))),
      ],
    ],
    width,
  );
}

function summaryToJson({ context, group, application, service, ...rest }: ContextSummary): object {
  return {
    ...idAndName(context),
    group: group === undefined ? null : idAndName(group),
    application: application === undefined ? null : idAndName(application),
    service: service ?? null,
    deltas: rest.deltas,
    entries: rest.entries,
    bytes: rest.bytes,
    changedAt: rest.changedAt ?? null,
  };
}

function detailsToJson(details: ContextDetails): object {
  const { rootHash, heads, identities, capabilities, privateState, markers, revisions } = details;
  return {
    ...summaryToJson(details),
    rootHash: rootHash ?? null,
    heads,
    identities: identities.map(({ member, ...rest }) => ({ ...idAndName(member), ...rest })),
    capabilities: capabilities.map(({ member, mask }) => ({ ...idAndName(member), mask })),
    privateState,
    markers: markers.map(({ marker, value }) => ({ marker, value: value ?? null })),
    revisions:
      revisions === undefined
        ? null
        : { application: String(revisions.application), members: String(revisions.members) },
  };
}

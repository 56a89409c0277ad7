/** Everything about one context, on one page. */

import { count, counted } from "../../bytes/quantity.js";
import { type ContextDetails, type ContextSummary, contextCapabilityNames } from "../../node/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { shortDate, timeShown } from "../output/lines.js";
import type { Terminal } from "../output/terminal.js";
import { idAndName, type Labels } from "./labels.js";
import type { OpenNode, PageOptions } from "./options.js";
import { otherNames } from "./thing-pages.js";

/** Prints a context: its rows and its sizes. */
export async function printContext(
  terminal: Terminal,
  { node, labels }: OpenNode,
  id: string,
  { json, utc }: PageOptions,
): Promise<ExitStatus> {
  const details = (await node.context(id)) as ContextDetails;
  if (json) {
    const names = (await node.names()).allOf(details.context.id);
    await terminal.json({ ...detailsToJson(details), names });
    return 0;
  }
  await labels.prepare([details.context, details.group, details.application]);
  await labels.prepare(details.identities.map(({ member }) => member));
  await labels.prepare(details.capabilities.map(({ member }) => member));
  const others = await otherNames(node, details.context);
  await terminal.fields(detailFields(details, others, labels, terminal.size, utc));
  return 0;
}

function detailFields(
  one: ContextDetails,
  others: string | undefined,
  labels: Labels,
  size: Terminal["size"],
  utc: boolean,
): readonly (readonly [name: string, value: string | undefined])[] {
  const list = (things: readonly string[]): string | undefined =>
    things.length === 0 ? undefined : things.join(", ");
  const { privateState, revisions } = one;
  return [
    ["context", labels.name(one.context)],
    ["id", labels.whole(one.context.id)],
    ["also called", others],
    ["group", one.group && labels.of(one.group)],
    ["application", one.application === undefined ? withoutRow(one) : labels.of(one.application)],
    ["service", one.service],
    ["state", rowsText(one.rows, one.bytes, size)],
    [
      "private state",
      privateState?.rows === 0 ? undefined : rowsText(privateState?.rows, privateState?.bytes, size),
    ],
    [
      "root hash",
      one.rootHash === undefined ? (one.isUnread ? "unknown" : undefined) : labels.whole(one.rootHash),
    ],
    ["deltas", known(one.deltas, count)],
    ["heads", list(one.heads.map((head) => labels.whole(head)))],
    ["changed", changedText(one, utc) || undefined],
    [
      "members",
      list(
        one.identities.map(
          ({ member, publicKey }) =>
            `${labels.of(member)}${member.id === publicKey ? "" : ` key ${labels.whole(publicKey)}`}`,
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
      list(
        one.markers.map(({ marker, value }) => {
          if (value === undefined) return marker;
          return `${marker}: ${marker === "left" ? timeShown(value, utc) : HEX.test(value) ? labels.whole(value) : value}`;
        }),
      ),
    ],
  ];
}

function rowsText(rows: number | undefined, bytes: number | undefined, size: Terminal["size"]): string {
  if (bytes === undefined) return known(rows, count);
  return `${rows === undefined ? "unknown rows" : counted(rows, "row")}, ${size(bytes)}`;
}

/** A number as text, or as a cell. */
export function known<T>(number: number | undefined, cellOf: (number: number) => T): T | "unknown" {
  return number === undefined ? "unknown" : cellOf(number);
}

/** The time of the last change: empty if nothing changed, unknown if deltas are left out or damaged. */
export function changedText(
  { changedAt, deltas }: Pick<ContextSummary, "changedAt" | "deltas">,
  utc: boolean,
): string {
  return changedAt === undefined ? known(deltas, () => "") : shortDate(changedAt, utc);
}

/** A marker that is an id. */
const HEX = /^[0-9a-f]{64}$/;

/** The word for a context without an application. */
export function withoutRow({ isUnread }: Pick<ContextSummary, "isUnread">): string {
  return isUnread ? "unknown" : "not joined";
}

/** A context in the JSON form of lists. */
export function summaryToJson({ context, group, application, service, ...rest }: ContextSummary): object {
  return {
    ...idAndName(context),
    group: group === undefined ? null : idAndName(group),
    application: application === undefined ? null : idAndName(application),
    service: service ?? null,
    isUnread: rest.isUnread,
    deltas: rest.deltas ?? null,
    rows: rest.rows ?? null,
    bytes: rest.bytes ?? null,
    changedAt: rest.changedAt ?? null,
  };
}

function detailsToJson(details: ContextDetails): object {
  const { rootHash, heads, identities, capabilities, privateState, markers, revisions } = details;
  return {
    ...summaryToJson(details),
    rootHash: rootHash ?? null,
    heads,
    identities: identities.map(({ member, publicKey, isOwn }) => ({
      ...idAndName(member),
      ...{ publicKey, isOwn: isOwn ?? null },
    })),
    capabilities: capabilities.map(({ member, mask }) => ({ ...idAndName(member), mask })),
    privateState: privateState ?? null,
    markers: markers.map(({ marker, value }) => ({ marker, value: value ?? null })),
    revisions:
      revisions === undefined
        ? null
        : { application: String(revisions.application), members: String(revisions.members) },
  };
}

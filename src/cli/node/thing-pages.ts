/** Pages about applications, members and keys, and about ids that only rows have. */

import { type BlobUse, readBlobTable, readBlobUses } from "../../blobs/index.js";
import { jsonSize } from "../../bytes/quantity.js";
import {
  type CalimeroNode,
  type Departure,
  type Named,
  operationToJson,
  type ThingKind,
  thingToJson,
} from "../../node/index.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { idAndName, type Labels } from "./labels.js";
import type { OpenNode, PageOptions } from "./options.js";

/** The further names of a thing; undefined if it has none. */
export async function otherNames(node: CalimeroNode, { id, name }: Named): Promise<string | undefined> {
  const others = (await node.names()).allOf(id).filter((other) => other !== name);
  return others.length === 0 ? undefined : others.map(printable).join(", ");
}

/** Prints an application. */
export async function printApplication(
  terminal: Terminal,
  { node, labels }: OpenNode,
  thing: Named,
  { json }: PageOptions,
): Promise<void> {
  const record = (await node.applications()).find(({ id }) => id === thing.id);
  const contexts = (await node.contexts()).filter(({ application }) => application?.id === thing.id);
  if (json) {
    const running = contexts.map(({ context }) => idAndName(context));
    await terminal.json({ ...record, ...thingToJson(thing), contexts: running });
    return;
  }
  await labels.prepare([thing, ...contexts.map(({ context }) => context)]);
  const services = record?.services.map(({ name }) => printable(name)).join(", ");
  await terminal.fields([
    ["application", labels.name(thing)],
    ["id", labels.whole(thing.id)],
    ["also called", await otherNames(node, thing)],
    ["package", record?.package && printable(record.package)],
    ["version", record?.version && printable(record.version)],
    ["size", record && terminal.size(record.size)],
    ["source", record && printable(record.source)],
    ["signer", record?.signer && printable(record.signer)],
    ["blob", record && labels.whole(record.blob)],
    ["services", services || undefined],
    ["state version", record?.stateVersion === undefined ? undefined : String(record.stateVersion)],
    ["contexts", contexts.map(({ context }) => labels.of(context)).join(", ") || "none"],
  ]);
}

/** Prints a member. */
export async function printMember(
  terminal: Terminal,
  { node, labels }: OpenNode,
  thing: Named,
  { json }: PageOptions,
): Promise<void> {
  const memberships = await node.membershipsOf(thing.id);
  const own = await node.own();
  const isOwn = own.account === thing.id || own.publicKeys.has(thing.id);
  const devices = await node.devicesOf(thing.id);
  const departures = await node.departuresOf(thing.id);
  if (json) {
    const groups = memberships.map(({ group, role }) => ({ ...idAndName(group), role }));
    const left = departures.map(({ group, operation }) => ({
      ...idAndName(group),
      operation: operation === undefined ? null : operationToJson(operation),
    }));
    await terminal.json({ ...thingToJson(thing), isOwn, groups, left, devices });
    return;
  }
  await labels.prepare([thing, ...[...memberships, ...departures].map(({ group }) => group)]);
  await terminal.fields([
    [thing.kind, labels.name(thing)],
    ["id", labels.whole(thing.id)],
    ["also called", await otherNames(node, thing)],
    ["this node", isOwn ? "yes" : "no"],
    ["groups", memberships.map(({ group, role }) => `${labels.of(group)} as ${role}`).join(", ") || "none"],
    ["before", departures.map((one) => departureText(one, labels)).join(", ") || undefined],
    [
      "devices",
      devices.map(({ id, live }) => (live ? labels.whole(id) : `${labels.whole(id)} (revoked)`)).join(", ") ||
        undefined,
    ],
  ]);
}

/** `left office (fa3977a2) (operation 28)`. */
function departureText({ group, operation }: Departure, labels: Labels): string {
  const did = operation?.kind === "MemberLeft" ? "left" : "removed from";
  return `${did} ${labels.of(group)}${operation === undefined ? "" : ` (operation ${operation.sequence})`}`;
}

/**
 * Prints a blob: its size, and its users or the blob that contains it. Returns false if no row and no operation names
 * it.
 */
export async function printBlob(
  terminal: Terminal,
  { store, node, labels }: OpenNode,
  { id }: Named,
  { json }: PageOptions,
): Promise<boolean> {
  const table = await readBlobTable(store);
  const row = table.rows.get(id);
  const parts = table.parentsOf(id);
  const named = await readBlobUses(store);
  const uses = [id, ...parts].flatMap((one) => named.get(one) ?? []);
  if (row === undefined && uses.length === 0) return false;
  const names = await node.names();
  const users = uses.map((use) => ({ ...use, user: names.as(userOf(use), use.id) }));
  if (json) {
    const usedBy = users.map(({ kind, role, user }) => ({ ...thingToJson(user), role, row: kind }));
    await terminal.json({ id, kind: "blob", size: row && jsonSize(row.size), parts, usedBy });
    return true;
  }
  await labels.prepare(users.map(({ user }) => user));
  await terminal.fields([
    ["blob", labels.whole(id)],
    ["size", row === undefined ? "unknown: it has no row" : terminal.size(Number(row.size))],
    ...parts.map((blob) => ["part of", labels.whole(blob)] as const),
    ["used by", users.length === 0 ? "nothing that the database tells" : undefined],
    ...users.map(({ role, user, package: name, version = "" }): readonly [string, string] => [
      "used by",
      `${user.kind} ${name === undefined ? labels.of(user) : `${printable(name)} ${printable(version)}`}: ${printable(role)}`,
    ]),
  ]);
  return true;
}

function userOf({ kind }: BlobUse): ThingKind {
  if (kind.startsWith("Application")) return "application";
  return kind === "GroupMeta" || kind === "GroupUpgradeLadder" ? "group" : "context";
}

/** Pages about applications, members and keys, and about ids that only rows have. */

import { size } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import { type Named, type Node, thingToJson } from "../../node/index.js";
import { fieldLines } from "../lines.js";
import type { Terminal } from "../terminal.js";
import { printable } from "../text.js";
import { idAndName } from "./labels.js";
import type { OpenNode, PageOptions } from "./options.js";

/** The names of a thing beside the one that it is shown with; undefined if it has no other. */
export async function otherNames(node: Node, { id, name }: Named): Promise<string | undefined> {
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
    await terminal.line(toJsonLine({ ...record, ...thingToJson(thing), contexts: running }));
    return;
  }
  await labels.prepare([thing, ...contexts.map(({ context }) => context)]);
  const services = record?.services.map(({ name }) => printable(name)).join(", ");
  const lines = fieldLines(
    [
      ["application", labels.name(thing)],
      ["id", thing.id],
      ["also called", await otherNames(node, thing)],
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
      ["also called", await otherNames(node, thing)],
      ["this node", isOwn ? "yes" : "no"],
      ["groups", memberships.map(({ group, role }) => `${labels.of(group)} as ${role}`).join(", ") || "none"],
      ["devices", devices.map(({ id, live }) => (live ? id : `${id} (revoked)`)).join(", ") || undefined],
    ],
    terminal.width,
  );
  for (const line of lines) await terminal.line(line);
}

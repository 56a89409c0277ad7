/** Operations and deltas in JSON: ids in hex, 64-bit numbers as decimal texts, things with id and name. */
import type { Json } from "../../codec/index.js";
import { checkArgument, hasMembers } from "../../options.js";
import { operationLayouts } from "../../payloads/index.js";
import type { Named } from "../names.js";
import { sentenceText } from "../sentences/sentence.js";
import type { Delta } from "./delta.js";
import { eventToJson } from "./events.js";
import type { Operation } from "./operation.js";

/** The fields of an operation, as rows show them; undefined unless it can be read. */
export function operationFields(operation: Operation): Json | undefined {
  checkArgument("operationFields", operation, hasMembers("an operation", "id", "parents", "sentence"));
  const { op, kind, revision, isOnGroup } = operation;
  if (op === undefined || kind === undefined) return undefined;
  const { group, root } = operationLayouts[revision];
  return (isOnGroup ? group : root).toJson(op);
}

/** An operation in JSON. `text` is its sentence with names, or with ids for things without a name. */
export function operationToJson(operation: Operation): { readonly [field: string]: Json } {
  checkArgument("operationToJson", operation, hasMembers("an operation", "id", "parents", "sentence"));
  const { id, log, namespace, group, actor, signer, sequence, parents, sentence, state, kind } = operation;
  return {
    id,
    log,
    sequence: String(sequence),
    text: sentenceText(sentence, ({ name, id }) => name ?? id),
    state,
    kind: kind ?? null,
    actor: thingToJson(actor),
    signer,
    group: thingToJson(group),
    namespace: thingToJson(namespace),
    parents,
    keyId: operation.keyId ?? null,
    after: operation.time?.after ?? null,
    before: operation.time?.before ?? null,
    op: operationFields(operation) ?? null,
  };
}

/** A delta in JSON. Its events are a list, or `private` or `unreadable`. */
export function deltaToJson(delta: Delta): { readonly [field: string]: Json } {
  checkArgument("deltaToJson", delta, hasMembers("a delta", "id", "context", "actions"));
  const { id, context, author, time, parents, missing, actions, size, applied, checkpoint, events } = delta;
  return {
    id,
    context: thingToJson(context),
    author: author === undefined ? null : thingToJson(author),
    time: time ?? null,
    parents,
    missing,
    applied,
    checkpoint,
    bytes: size ?? null,
    actions: actions?.map(({ field, ...action }) => ({ ...action, field: field ?? null })) ?? null,
    events: typeof events === "string" ? events : events.map(eventToJson),
  };
}

/** A thing in JSON: kind, id and name. */
export function thingToJson(thing: Named): { readonly [field: string]: Json } {
  checkArgument("thingToJson", thing, hasMembers("a thing with its name", "kind", "id"));
  const { kind, id, name } = thing;
  return { kind, id, name: name ?? null };
}

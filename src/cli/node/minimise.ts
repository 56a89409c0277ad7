import { fromHex, toHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { findPrivateEntities, PrivateEntities } from "../../schemas/index.js";
import {
  type ContextReplay,
  contradictions,
  readReplay,
  smallestPart,
  stateKeysOf,
  storedHash,
} from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { command } from "../arguments/command.js";
import { json, reading, revealSecrets } from "../arguments/options.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import { idText } from "../output/id-look.js";
import { printable } from "../output/text.js";
import { rowForm } from "../rows/rows.js";
import { manifestOptions } from "../state/manifest-file.js";
import { REPLAYED } from "../state/replayed.js";
import { hints, knowledgeOfAny } from "../state/used-state.js";
import { meantBy, type OpenSide, withNodes } from "./options.js";

/** The text in place of a secret. */
const REDACTED = "redacted";

/** A difference that is to be explained by few deltas. */
interface Difference {
  /** The node whose deltas are tried. */
  readonly side: OpenSide;
  readonly replay: ContextReplay;
  /** The entity, 64 hex digits. */
  readonly entity: string;
  /** The SHA-256 of its data on each node, 64 hex digits; undefined if the entity is absent. */
  readonly ownHash: readonly [string | undefined, string | undefined];
  /** Checks the state at the replay's position. */
  holds(kept: ReadonlySet<number>): boolean | Promise<boolean>;
}

/** Prints the fewest deltas that still give two states. */
export const minimise = command({
  words: "minimise <a> <b> <context>",
  description: "find the fewest deltas that still give two nodes different states, as a test case",
  options: { ...manifestOptions, hints, revealSecrets, ...reading, json },
  help: `Takes the first entity that differs. If the state of a node differs from the replay of its deltas, the command looks
for the fewest deltas whose replay gives the data that the entity should have. Otherwise it looks for the fewest
whose replay gives other data without the deltas that the other node lacks. None of the printed deltas can be left
out. With --json it prints one object: the entity, the hash of its data on both nodes, and each delta as "scan --json"
shows its row, in causal order: "value" is the ContextDagDelta as Borsh, which a Rust test reads.
docs/why-nodes-differ.md has an example.

Examples:
  merostore minimise node-a/data node-c/data lobby
  merostore minimise node-a/data node-c/data lobby --json

Status 1 if nothing differs that deltas can explain, or a node has not joined the context;
3 if its row cannot be read.`,

  async run(terminal, given, options) {
    return withNodes(terminal, [given.a, given.b], options, async (sides) => {
      const [a, b] = sides as unknown as readonly [OpenSide, OpenSide];
      for (const { store, name } of sides) refuseLeftOut(store, REPLAYED, name);
      const { id: context } = await meantBy(sides, given.context, ["context"]);
      const contextId = fromHex(context);
      const having = [];
      for (const { name, node } of sides) {
        const found = await node.context(context);
        if (found?.isUnread) {
          terminal.remark(
            `not known: the row of the context ${context} cannot be read on ${printable(name)}`,
          );
          return 3;
        }
        if (found?.application !== undefined) having.push(name);
      }
      if (having.length < 2) {
        const who = having.length === 0 ? "neither node" : `only ${having[0]}`;
        terminal.remark(`${printable(who)} has joined the context ${context}`);
        return 1;
      }
      const how = await knowledgeOfAny(terminal, sides, contextId, options);
      const replays = [
        await readReplay(a.store, contextId, how),
        await readReplay(b.store, contextId, how),
      ] as const;
      const difference = (await wrongState([a, b], replays)) ?? (await otherDeltas([a, b], replays));
      const part = difference && (await smallestPart(difference.replay, (kept) => difference.holds(kept)));
      if (difference === undefined || part === undefined) {
        terminal.remark("the deltas explain no difference between the data of the nodes");
        return 1;
      }
      const { side, replay } = difference;
      const hidden = options.revealSecrets ? PrivateEntities.none : await privateOf(a.store, b.store);
      const { entity, ownHash } = isPrivate(hidden, difference) ? redacted(difference) : difference;
      const ids = part.numbers.map((number) => replay.graph.deltas[number]?.id ?? "");
      if (!options.json) {
        const [one, other] = ownHash.map((hash) =>
          hash === undefined ? "not there" : idText(hash, terminal.ids),
        );
        await terminal.line(
          `entity ${idText(entity, { ...terminal.ids, whole: true })}: ${one} on ${a.name}, ${other} on ${b.name}`,
        );
        await terminal.line(
          `${ids.length} of ${counted(replay.length, "delta")} of ${side.name}, found in ${part.tries} replays:`,
        );
        for (const id of ids) await terminal.line(`  ${idText(id, { ...terminal.ids, whole: true })}`);
        return 0;
      }
      const deltas = await rowsOf(side.store, context, ids, {
        revealSecrets: options.revealSecrets,
        privateEntities: hidden,
      });
      const nodes = [a, b].map(({ name }, at) => ({ node: name, ownHash: ownHash[at] ?? null }));
      const { name: revision } = side.store.schema;
      await terminal.json({ revision, context, entity, nodes, of: replay.length, deltas });
      return 0;
    });
  },
});

/** The private entities of either database. */
async function privateOf(a: Store, b: Store): Promise<PrivateEntities> {
  const found = await findPrivateEntities(a.raw, a.schema);
  return found.and(await findPrivateEntities(b.raw, b.schema));
}

function isPrivate(hidden: PrivateEntities, { side, replay, entity }: Difference): boolean {
  const keys = stateKeysOf(side.store.schema, replay.contextId, fromHex(entity));
  return keys.some(({ key }) => hidden.in("State", key, new Uint8Array(0)) !== undefined);
}

/** A difference without the hashes of its data, from which a short secret could be guessed. */
function redacted({ ownHash }: Difference): Pick<Difference, "entity" | "ownHash"> {
  const [a, b] = ownHash.map((hash) => hash && REDACTED);
  return { entity: REDACTED, ownHash: [a, b] };
}

/** The rows of deltas, as `scan --json` shows them. */
async function rowsOf(
  store: Store,
  context: string,
  ids: readonly string[],
  shown: { readonly revealSecrets: boolean; readonly privateEntities: PrivateEntities },
) {
  const keys = ids.map((id) => fromHex(context + id));
  const values = await store.raw.getMany("Delta", keys);
  return keys.map((key, at) =>
    rowForm(store.schema, "Delta", { key, value: values[at] ?? new Uint8Array(0) }, { ...shown, json: true }),
  );
}

type Two<T> = readonly [T, T];

/** The hashes of an entity's data on both nodes; undefined if they are equal. */
async function hashesOf(
  sides: Two<OpenSide>,
  { contextId }: ContextReplay,
  entity: string,
): Promise<Difference["ownHash"] | undefined> {
  const a = await storedHash(sides[0].store, contextId, entity);
  const b = await storedHash(sides[1].store, contextId, entity);
  return a === b ? undefined : [a, b];
}

/** An entity of a node whose state differs from the replay of its deltas. */
async function wrongState(
  sides: Two<OpenSide>,
  replays: Two<ContextReplay>,
): Promise<Difference | undefined> {
  for (const at of [0, 1] as const) {
    const [side, replay] = [sides[at], replays[at]];
    for await (const { entity, how, wanted, found, mayBe } of contradictions(side.store, replay)) {
      if (wanted === found || mayBe !== undefined || how === "not written by any delta") continue;
      const ownHash = await hashesOf(sides, replay, entity);
      if (ownHash === undefined) continue;
      const isDeleted = (): boolean => replay.tree.get(entity)?.deletedAt !== undefined;
      const holds = wanted === undefined ? isDeleted : () => hashOf(replay, entity) === wanted;
      return { side, replay, entity, ownHash, holds };
    }
  }
  return undefined;
}

/** An entity that differs by deltas which one node lacks. */
async function otherDeltas(
  sides: Two<OpenSide>,
  replays: Two<ContextReplay>,
): Promise<Difference | undefined> {
  for (const replay of replays) await replay.moveToFirst();
  for (const at of [0, 1] as const) {
    const [replay, other] = [replays[at], replays[1 - at] as ContextReplay];
    const known = new Set(other.graph.deltas.map(({ id }) => id));
    for (const [entity, { writer }] of replay.tree.entities()) {
      const id = writer === undefined ? undefined : replay.graph.deltas[writer]?.id;
      const ours = hashOf(replay, entity);
      if (id === undefined || known.has(id) || ours === hashOf(other, entity)) continue;
      const ownHash = await hashesOf(sides, replay, entity);
      if (ownHash === undefined) continue;
      const isBoth = (number: number): boolean => known.has(replay.graph.deltas[number]?.id ?? "");
      const holds = async (kept: ReadonlySet<number>): Promise<boolean> => {
        if (hashOf(replay, entity) !== ours) return false;
        await replay.moveToOnly(new Set([...kept].filter(isBoth)));
        return hashOf(replay, entity) !== ours;
      };
      return { side: sides[at], replay, entity, ownHash, holds };
    }
  }
  return undefined;
}

/** The SHA-256 of an entity's data in the state at a replay's position; undefined if the entity is absent. */
function hashOf({ tree }: ContextReplay, entity: string): string | undefined {
  const found = tree.get(entity);
  return found === undefined || found.deletedAt !== undefined || found.ownHash === undefined
    ? undefined
    : toHex(found.ownHash);
}

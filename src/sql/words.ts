/** Tables in people's words, with names, as in the commands `members`, `contexts`, `groups`, `log` and `state`. */
import type { BlobFiles } from "../blobs/index.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { toJsonLine } from "../bytes/visible.js";
import { isMerostoreError } from "../errors.js";
import {
  CalimeroNode,
  capabilityNames,
  type GroupNode,
  hasAccounts,
  type Named,
  type Operation,
  sentenceText,
  withHistory,
} from "../node/index.js";
import {
  bundleNames,
  findManifest,
  type Manifest,
  StateMap,
  StateSet,
  StateVector,
  stateOf,
  valueJson,
} from "../state/index.js";
import type { StoreReader } from "../store/index.js";
import type { Layout } from "./layout.js";
import { type NamedStore, nodeColumn, type SomeContents, type Table, type TableColumn } from "./table.js";

/** The files of the blobs of a database; undefined where they are not known. */
type BlobsOf = (node: string) => BlobFiles | undefined;

type Cells = Readonly<Record<string, unknown>>;

/**
 * The types of columns by their names; ids are hex, times are texts of ISO 8601. No column has the name of a view: a
 * statement that names the column would read the view too.
 */
type Columns = Readonly<Record<string, Layout["is"] | "texts">>;

/** A table in words. */
interface Words {
  readonly columns: Columns;
  rows(database: Database): AsyncGenerator<Cells, void, undefined>;
}

/** A database that the tables are about. */
interface Database {
  readonly store: StoreReader;
  readonly node: CalimeroNode;
  readonly blobs: BlobFiles | undefined;
}

const WORDS: Readonly<Record<string, Words>> = {
  groups: {
    columns: {
      ...{ groupName: "text", groupId: "text", parent: "text", parentId: "text", visibility: "text" },
      ...{ memberCount: "u32", admins: "texts", contextNames: "texts", application: "text", ownRole: "text" },
      ...{ createdAt: "text", exists: "bool" },
    },
    async *rows({ node }) {
      for (const { one, parent } of allGroups(await node.namespaces()))
        yield {
          ...named("groupName", one.group),
          ...named("parent", parent),
          visibility: one.visibility,
          memberCount: one.members,
          admins: one.admins.map(label),
          contextNames: one.contexts.map(label),
          application: one.application && label(one.application),
          ownRole: one.ownRole,
          createdAt: iso(one.createdAt),
          exists: one.exists,
        };
    },
  },
  members: {
    columns: {
      ...{ groupName: "text", groupId: "text", member: "text", memberId: "text", role: "text" },
      ...{ isOwner: "bool", isOwn: "bool", through: "text", deviceCount: "u32", capabilities: "text" },
      ...{ operation: "u64", addedBy: "text" },
    },
    async *rows({ store, node }) {
      const accounts = hasAccounts(store.schema);
      const known = [...allGroups(await node.namespaces())];
      yield* strayMembers(store, node, new Set(known.map(({ one }) => one.group.id)));
      for (const { one } of known) {
        const joined = (await node.origins(one.group.id)).members;
        for (const { member, role, through, devices, ...rest } of await node.memberList(one.group.id)) {
          const { operation, by } = joined.get(member.id) ?? {};
          yield {
            ...named("groupName", one.group),
            ...named("member", member),
            role,
            isOwner: rest.isOwner,
            isOwn: rest.isOwn,
            through: through && label(through),
            deviceCount: devices.filter(({ live }) => live).length,
            capabilities:
              rest.capabilities === undefined ? undefined : capabilityNames(rest.capabilities, accounts),
            operation: operation?.sequence,
            addedBy: by && label(by),
          };
        }
      }
    },
  },
  contexts: {
    columns: {
      ...{ context: "text", contextId: "text", groupName: "text", groupId: "text", application: "text" },
      ...{ service: "text", changedAt: "text", deltaCount: "u32", rowCount: "u32", bytes: "i64" },
    },
    async *rows({ node }) {
      for (const one of await node.contexts())
        yield {
          ...named("context", one.context),
          ...named("groupName", one.group),
          application: one.application && label(one.application),
          service: one.service,
          changedAt: iso(one.changedAt),
          deltaCount: one.deltas,
          rowCount: one.rows,
          bytes: one.bytes === undefined ? undefined : BigInt(one.bytes),
        };
    },
  },
  deltas: {
    columns: {
      ...{ context: "text", contextId: "text", deltaId: "text", author: "text", authorId: "text" },
      ...{ time: "text", parents: "texts", missing: "texts", actionCount: "u32", bytes: "i64" },
      ...{ applied: "bool", checkpoint: "bool" },
    },
    async *rows({ store, node }) {
      for (const context of await withHistory(node, store, "context"))
        for await (const delta of node.deltas(context.id))
          yield {
            ...named("context", context),
            deltaId: delta.id,
            ...named("author", delta.author),
            time: iso(delta.time),
            parents: delta.parents,
            missing: delta.missing,
            actionCount: delta.actions?.length,
            bytes: delta.size === undefined ? undefined : BigInt(delta.size),
            applied: delta.applied,
            checkpoint: delta.checkpoint,
          };
    },
  },
  log: {
    columns: {
      ...{ after: "text", before: "text", kind: "text", id: "text", number: "u64", thing: "text" },
      ...{ thingId: "text", actor: "text", actorId: "text", text: "text" },
    },
    async *rows({ store, node }) {
      for (const context of await withHistory(node, store, "context"))
        for await (const { id, time, author, actions, checkpoint } of node.deltas(context.id)) {
          const at = iso(time);
          const what = actions === undefined ? "actions do not decode" : counted(actions.length, "action");
          yield {
            after: at,
            before: at,
            kind: "delta",
            id,
            ...named("thing", context),
            ...named("actor", author),
            text: `${author === undefined ? "" : `${label(author)} `}${what}${checkpoint ? " (checkpoint)" : ""}`,
          };
        }
      for (const group of await withHistory(node, store, "namespace"))
        for await (const operation of node.history(group.id, { times: true })) yield cellsOf(operation);
    },
  },
  entries: {
    columns: {
      ...{ context: "text", contextId: "text", path: "text", field: "text", key: "text" },
      ...{ value: "text", problem: "text" },
    },
    async *rows({ store, node, blobs }) {
      for (const { context } of await node.contextFacts())
        for await (const cells of entriesOf(store, context.id, blobs))
          yield { ...named("context", context), ...cells };
    },
  },
};

/** The tables in words, of all databases. */
export function wordTables(stores: readonly NamedStore[], withNode: boolean, blobsOf: BlobsOf): Table[] {
  const databases = stores.map(({ name, store }): Database => {
    const blobs = blobsOf(name);
    const bundleName = blobs === undefined ? undefined : bundleNames(store, blobs);
    return { store, node: new CalimeroNode(store, { bundleName }), blobs };
  });
  return Object.entries(WORDS).map(([name, { columns, rows }]) => {
    const all: TableColumn[] = Object.entries(columns).map(([column, is]) => ({
      name: column,
      layout: (is === "texts" ? { is: "list", of: { is: "text" } } : { is }) as Layout,
      read: ({ value }) => (value as Cells)[column],
    }));
    const withNodes = [...nodeColumn(withNode), ...all];
    const reads = withNodes.map(({ read }) => read);
    const sources = stores.map((source, at) => ({
      ...source,
      row: undefined,
      reads,
      contents: () => contentsOf(source.name, rows(databases[at] as Database)),
    }));
    return { name, columns: withNodes, sources };
  });
}

/** Rows as a table takes them: in parts, so that memory does not grow with their number. */
async function* contentsOf(
  node: string,
  rows: AsyncGenerator<Cells, void, undefined>,
): AsyncGenerator<SomeContents, void, undefined> {
  for await (const value of rows) {
    const size = Object.values(value).reduce<number>(
      (sum, cell) => sum + (typeof cell === "string" ? cell.length : 8),
      0,
    );
    const content = { node, size, key: undefined, value, held: undefined, error: undefined };
    yield { rows: 1, bytes: size, contents: [content] };
  }
}

/** A row of any revision. Its value is absent if it does not decode. */
interface MemberRow {
  readonly key: {
    readonly groupId: Uint8Array;
    readonly account?: Uint8Array;
    readonly identity?: Uint8Array;
  };
  readonly value?: string | { readonly role: string };
}

/** The members of groups that have no other row. */
async function* strayMembers(
  store: StoreReader,
  node: CalimeroNode,
  known: ReadonlySet<string>,
): AsyncGenerator<Cells, void, undefined> {
  const names = await node.names();
  const rows = store.table("GroupMember").scan() as unknown as AsyncIterable<MemberRow>;
  for await (const { key, value } of rows) {
    const group = names.group(toHex(key.groupId));
    if (known.has(group.id)) continue;
    const member = names.member(toHex((key.account ?? key.identity) as Uint8Array), group.id);
    const role = typeof value === "object" ? value.role : (value ?? "unknown");
    yield { ...named("groupName", group), ...named("member", member), role, isOwn: names.isOwn(member.id) };
  }
}

function* allGroups(
  nodes: readonly GroupNode[],
  parent?: Named,
): Generator<{ readonly one: GroupNode; readonly parent: Named | undefined }> {
  for (const one of nodes) {
    yield { one, parent };
    yield* allGroups(one.children, one.group);
  }
}

function cellsOf({ id, kind, state, sequence, group, actor, sentence, time }: Operation): Cells {
  return {
    after: iso(time?.after),
    before: iso(time?.before),
    kind: kind ?? state,
    id,
    number: sequence,
    ...named("thing", group),
    ...named("actor", actor),
    text: sentenceText(sentence, label),
  };
}

/** The parts of the application's data: each entry of a collection of the state, and each other field. */
async function* entriesOf(
  store: StoreReader,
  context: string,
  blobs: BlobFiles | undefined,
): AsyncGenerator<Cells, void, undefined> {
  let state: Awaited<ReturnType<typeof stateOf>>;
  try {
    state = await stateOf(store, context, { manifest: await manifestOf(store, context, blobs) });
  } catch (error) {
    // The entities of this revision are not known.
    if (isMerostoreError(error, "INVALID_ARGUMENT")) return;
    throw error;
  }
  for (const { name: field, path, value, problem } of state.fields) {
    const isMany = value instanceof StateMap || value instanceof StateSet || value instanceof StateVector;
    if (!isMany || problem !== undefined) {
      yield { path, field, ...(await valueCells(value, problem)) };
      continue;
    }
    try {
      for await (const entry of value.entries()) {
        const key = entry.key instanceof Uint8Array ? toHex(entry.key) : entry.key;
        yield { path: entry.path, field, key, ...(await valueCells(entry.value, entry.problem)) };
      }
    } catch (error) {
      if (!isMerostoreError(error, "STATE_UNREADABLE")) throw error;
      yield { path, field, problem: error.message };
    }
  }
}

async function valueCells(value: unknown, problem: { readonly message: string } | undefined): Promise<Cells> {
  if (problem !== undefined) return { problem: problem.message };
  const { json, problems } = await valueJson(value);
  return { value: typeof json === "string" ? json : toJsonLine(json), problem: problems[0]?.message };
}

/** The manifest of a context's code; without one, the types in the rows serve. */
async function manifestOf(
  store: StoreReader,
  context: string,
  blobs: BlobFiles | undefined,
): Promise<Manifest | undefined> {
  if (blobs === undefined) return undefined;
  try {
    return (await findManifest(store, fromHex(context), { blobs })).manifest;
  } catch (error) {
    if (isMerostoreError(error) && error.code.startsWith("ABI_")) return undefined;
    throw error;
  }
}

/** The name of a thing, or its id without a name, and the id. `group` is a word of SQL: its name is in `groupName`. */
function named(column: string, thing: Named | undefined): Cells {
  return { [column]: thing && label(thing), [`${column.replace("Name", "")}Id`]: thing?.id };
}

function label({ name, id }: Named): string {
  return name ?? id;
}

/** A time in ISO 8601; undefined for a number beyond the calendar. */
function iso(millis: number | undefined): string | undefined {
  if (millis === undefined) return undefined;
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

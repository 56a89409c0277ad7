/** Tables in people's words, with names, as in the commands `members`, `contexts`, `groups`, `log` and `state`. */
import type { BlobFiles } from "../blobs/index.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { toJsonLine } from "../bytes/visible.js";
import { isMerostoreError } from "../errors.js";
import {
  CalimeroNode,
  capabilityNames,
  type Delta,
  type GroupNode,
  hasAccounts,
  type Named,
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

const TEXT: Layout = { is: "text" };
const TEXTS: Layout = { is: "list", of: TEXT };

/** Forms of values: the layout of their column, and their cell. An undefined value is null in every form. */
const FORMS = {
  text: { layout: TEXT, cell: (text: string) => text },
  texts: { layout: TEXTS, cell: (texts: readonly string[]) => texts },
  bool: { layout: { is: "bool" }, cell: (is: boolean) => is },
  count: { layout: { is: "u32" }, cell: (count: number) => count },
  sequence: { layout: { is: "u64" }, cell: (sequence: bigint) => sequence },
  bytes: { layout: { is: "i64" }, cell: (bytes: number) => BigInt(bytes) },
  time: { layout: TEXT, cell: iso },
  name: { layout: TEXT, cell: label },
  names: { layout: TEXTS, cell: (things: readonly Named[]) => things.map(label) },
  id: { layout: TEXT, cell: ({ id }: Named) => id },
} satisfies Readonly<Record<string, { readonly layout: Layout; readonly cell: (value: never) => unknown }>>;

/** Values by the names of columns. Other properties do not matter. */
type Values = Readonly<Record<string, unknown>>;

/** A table in words. */
interface Words {
  /**
   * The forms of columns by their names; `named` stands for two columns, the name of a thing and its id. No column has
   * the name of a table: a statement that names the column would read the table too.
   */
  readonly columns: Readonly<Record<string, keyof typeof FORMS | "named">>;
  rows(database: Database): AsyncGenerator<Values, void, undefined>;
}

/** A database that the tables are about. */
interface Database {
  readonly store: StoreReader;
  readonly node: CalimeroNode;
  readonly blobs: BlobFiles | undefined;
}

/** `group` is a word of SQL: the name of a group is in `groupName`. */
const WORDS: Readonly<Record<string, Words>> = {
  groups: {
    columns: {
      ...{ groupName: "named", parent: "named", visibility: "text", memberCount: "count", admins: "names" },
      ...{ contextNames: "names", application: "name", ownRole: "text", createdAt: "time", exists: "bool" },
    },
    async *rows({ node }) {
      for (const { one, parent } of allGroups(await node.namespaces()))
        yield { ...one, groupName: one.group, parent, memberCount: one.members, contextNames: one.contexts };
    },
  },
  members: {
    columns: {
      ...{ groupName: "named", member: "named", role: "text", isOwner: "bool", isOwn: "bool" },
      ...{
        through: "name",
        deviceCount: "count",
        capabilities: "text",
        operation: "sequence",
        addedBy: "name",
      },
    },
    async *rows(database) {
      const { store, node } = database;
      const accounts = hasAccounts(store.schema);
      const groups = [...allGroups(await node.namespaces())].map(({ one }) => one.group);
      yield* strayMembers(database, new Set(groups.map(({ id }) => id)));
      for (const groupName of groups) {
        const joined = (await node.origins(groupName.id)).members;
        for (const one of await node.memberList(groupName.id)) {
          const { operation, by: addedBy } = joined.get(one.member.id) ?? {};
          yield {
            ...one,
            groupName,
            deviceCount: one.devices.filter(({ live }) => live).length,
            capabilities:
              one.capabilities === undefined ? undefined : capabilityNames(one.capabilities, accounts),
            operation: operation?.sequence,
            addedBy,
          };
        }
      }
    },
  },
  contexts: {
    columns: {
      ...{ context: "named", groupName: "named", application: "name", service: "text", changedAt: "time" },
      ...{ deltaCount: "count", rowCount: "count", bytes: "bytes" },
    },
    async *rows({ node }) {
      for (const one of await node.contexts())
        yield { ...one, groupName: one.group, deltaCount: one.deltas, rowCount: one.rows };
    },
  },
  deltas: {
    columns: {
      ...{ context: "named", deltaId: "text", author: "named", time: "time", parents: "texts" },
      ...{ missing: "texts", actionCount: "count", bytes: "bytes", applied: "bool", checkpoint: "bool" },
    },
    async *rows(database) {
      for await (const one of allDeltas(database))
        yield { ...one, deltaId: one.id, actionCount: one.actions?.length, bytes: one.size };
    },
  },
  log: {
    columns: {
      ...{ after: "time", before: "time", kind: "text", id: "text", number: "sequence", thing: "named" },
      ...{ actor: "named", text: "text" },
    },
    async *rows(database) {
      for await (const { id, context, time, author, actions, checkpoint } of allDeltas(database)) {
        const what = actions === undefined ? "actions do not decode" : counted(actions.length, "action");
        const text = `${author === undefined ? "" : `${label(author)} `}${what}${checkpoint ? " (checkpoint)" : ""}`;
        yield { after: time, before: time, kind: "delta", id, thing: context, actor: author, text };
      }
      const { store, node } = database;
      for (const { id } of await withHistory(node, store, "namespace"))
        for await (const one of node.history(id, { times: true })) {
          const { kind = one.state, sequence: number, group: thing, time } = one;
          const text = sentenceText(one.sentence, label);
          yield { ...one, after: time?.after, before: time?.before, kind, number, thing, text };
        }
    },
  },
  entries: {
    columns: {
      ...{ context: "named", path: "text", field: "text", key: "text", value: "text", problem: "text" },
    },
    async *rows({ store, node, blobs }) {
      for (const { context } of await node.contextFacts())
        for await (const values of entriesOf(store, context.id, blobs)) yield { context, ...values };
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
  return Object.entries(WORDS).map(([name, { columns: forms, rows }]) => {
    const own = Object.entries(forms).flatMap(([column, form]) =>
      form === "named"
        ? [columnOf(column, "name"), columnOf(column, "id", `${column.replace("Name", "")}Id`)]
        : columnOf(column, form),
    );
    const columns = [...nodeColumn(withNode), ...own];
    const reads = columns.map(({ read }) => read);
    const sources = stores.map((source, at) => ({
      ...source,
      row: undefined,
      reads,
      contents: () => contentsOf(source.name, rows(databases[at] as Database)),
    }));
    return { name, columns, sources };
  });
}

/** The column of a value in a form. */
function columnOf(property: string, form: keyof typeof FORMS, name = property): TableColumn {
  const { layout, cell } = FORMS[form];
  return {
    name,
    layout,
    read: ({ value }) => {
      const own = (value as Values)[property];
      return own === undefined ? undefined : cell(own as never);
    },
  };
}

/** Rows as a table takes them: in parts, so that memory does not grow with their number. */
async function* contentsOf(
  node: string,
  rows: AsyncGenerator<Values, void, undefined>,
): AsyncGenerator<SomeContents, void, undefined> {
  for await (const value of rows) {
    const size = Object.values(value).reduce<number>(
      (sum, one) => sum + (typeof one === "string" ? one.length : 8),
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
  { store, node }: Database,
  known: ReadonlySet<string>,
): AsyncGenerator<Values, void, undefined> {
  if (!store.schema.rows.some(({ kind }) => kind === "GroupMember")) return;
  const names = await node.names();
  const rows = store.table("GroupMember").scan() as unknown as AsyncIterable<MemberRow>;
  for await (const { key, value } of rows) {
    const groupName = names.group(toHex(key.groupId));
    if (known.has(groupName.id)) continue;
    const member = names.member(toHex((key.account ?? key.identity) as Uint8Array), groupName.id);
    const role = typeof value === "object" ? value.role : (value ?? "unknown");
    yield { groupName, member, role, isOwn: names.isOwn(member.id) };
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

async function* allDeltas({ store, node }: Database): AsyncGenerator<Delta, void, undefined> {
  for (const { id } of await withHistory(node, store, "context")) yield* node.deltas(id);
}

/** The parts of the application's data: each entry of a collection of the state, and each other field. */
async function* entriesOf(
  store: StoreReader,
  context: string,
  blobs: BlobFiles | undefined,
): AsyncGenerator<Values, void, undefined> {
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
      yield { path, field, ...(await valuesOf(value, problem)) };
      continue;
    }
    try {
      for await (const entry of value.entries()) {
        const key = entry.key instanceof Uint8Array ? toHex(entry.key) : entry.key;
        yield { path: entry.path, field, key, ...(await valuesOf(entry.value, entry.problem)) };
      }
    } catch (error) {
      if (!isMerostoreError(error, "STATE_UNREADABLE")) throw error;
      yield { path, field, problem: error.message };
    }
  }
}

async function valuesOf(value: unknown, problem: { readonly message: string } | undefined): Promise<Values> {
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

/** The name of a thing, or its id without a name. */
function label({ name, id }: Named): string {
  return name ?? id;
}

/** A time in ISO 8601; undefined for a number beyond the calendar. */
function iso(millis: number): string | undefined {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A node as its users see it: its namespaces, groups, members, contexts and histories, with names. */
import { digitsOf, type IdLike, idText } from "../bytes/id.js";
import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isList } from "../options.js";
import { followed, type ProgressOptions, type SignalOption, signalOption } from "../progress.js";
import type { Schema } from "../schemas/index.js";
import { Store, type StoreReader } from "../store/browser.js";
import {
  type ContextDetails,
  type ContextFacts,
  type ContextSummary,
  contextDetails,
  contextFacts,
  contextSummaries,
} from "./contexts.js";
import { findRows, type Hit, type Searched, searchedFor } from "./find.js";
import { type GroupDetails, readGroupDetails } from "./group-details.js";
import { type GroupNode, groupNode, groupTree, readGroupFacts } from "./groups.js";
import { type Delta, Deltas } from "./history/delta.js";
import { type GraphOptions, graphOptions, type HistoryGraph } from "./history/graph.js";
import { groupLog, groupLogGraph } from "./history/group-log.js";
import { type HistoryOptions, historyOptions, NamespaceLog } from "./history/namespace-log.js";
import type { Operation } from "./history/operation.js";
import { lengthOfLogs } from "./history/stored.js";
import { Ids, type Resolver, resolve, unlessUnknown } from "./ids.js";
import { type Origins, type OriginsOptions, originsOf, originsOptions } from "./joinings.js";
import type { Departure, Member, MemberList, Membership } from "./members.js";
import { everMembers, membershipsOf, membersOf } from "./members.js";
import { type Named, type Names, readNames, type ThingKind } from "./names.js";
import { departuresOf, explainMember, type MemberChange, rowsAfter, withoutNonces } from "./replay/index.js";
import { readSizes, type SizeBy, type Sizes } from "./sizes.js";
import type { ApplicationRecord, NamingOptions } from "./tables/applications.js";
import { namespaceOf } from "./tables/groups.js";
import { isContext, isGroup } from "./tables/histories.js";
import type { DeviceRecord } from "./tables/members.js";
import { once } from "./tables/once.js";
import type { OwnNode } from "./tables/own.js";
import { type NodeReader, readerWith } from "./tables/rows.js";
import { type Tables, tablesOf } from "./tables/tables.js";
import { forgetUnread, type Unread, unreadOf } from "./tables/unread.js";
import { thingsSaid } from "./things-said.js";
import { wholeId } from "./typed-id.js";

/** Operations of all logs together that are read for names alone: of longer logs, an answer would take too long. */
const SHORT_LOGS = 1_000;

/**
 * Answers questions about a node's database in the words of its users. It reads the rows that a question needs, and
 * keeps small tables: to see later writes, make a new one or call `refresh`. Ids are 64 hex digits; questions also
 * accept bytes or base58. No answer has secrets. A group or context is given by its name, its id, or the first digits
 * of its id. If nothing matches, a question about one thing returns undefined, a question for a list throws
 * `UNKNOWN_NAME`. If several match, both throw `AMBIGUOUS_NAME`. A member without rows has no groups and no devices.
 */
export class CalimeroNode {
  readonly #reader: NodeReader;
  readonly #options: NamingOptions;
  #tables!: Tables;
  #names!: () => Promise<Names>;
  #ids!: () => Promise<Ids>;
  #said!: () => Promise<readonly Named[]>;
  #shortLogs!: () => Promise<readonly Named[]>;
  #deltas!: () => Promise<Deltas>;
  readonly #logs = new Map<string, NamespaceLog>();

  /** @param reader a store, a snapshot or an overlay; it stays the caller's to close */
  constructor(reader: StoreReader<Schema>, options: NamingOptions = {}) {
    this.#reader = reader as unknown as NodeReader;
    this.#options = options;
    this.#forget();
  }

  /** Forgets all rows that were read, so that the next answers show later writes. */
  async refresh(): Promise<void> {
    if (this.#reader instanceof Store) await this.#reader.refresh();
    forgetUnread(this.#reader);
    this.#forget();
  }

  #forget(): void {
    this.#tables = tablesOf(this.#reader, this.#options);
    this.#names = once(() => readNames(this.#tables));
    this.#ids = once(() => Ids.read(this.#tables));
    this.#said = once(async () => thingsSaid(this, await this.#tables.groups()));
    this.#shortLogs = async () => ((await lengthOfLogs(this.#reader)) <= SHORT_LOGS ? this.#said() : []);
    this.#deltas = once(async () => new Deltas(this.#reader, await this.#names(), this.#shortLogs));
    this.#logs.clear();
  }

  /** The rows that the answers so far could not take into account: they do not decode, or are in a damaged table. */
  get unread(): Unread {
    return unreadOf(this.#reader);
  }

  /** The names of everything. */
  names(): Promise<Names> {
    return this.#names();
  }

  /** The namespaces, each with its groups: the tree. */
  async namespaces(): Promise<readonly GroupNode[]> {
    return groupTree(await readGroupFacts(this.#tables, await this.#names()));
  }

  /**
   * A group with all groups and contexts below it; undefined if no group's row has its id, as after its deletion.
   * `history` still has its operations.
   */
  async group(group: IdLike): Promise<GroupNode | undefined> {
    const id = await unlessUnknown(this.#idOf("group", group));
    if (id === undefined || !(await this.#tables.groups()).has(id)) return undefined;
    return groupNode(await readGroupFacts(this.#tables, await this.#names()), id);
  }

  /**
   * The members of a group: admins first, then by name.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if the group is unknown, or has no rows
   */
  async members(group: IdLike): Promise<readonly Member[]> {
    return [...(await this.memberList(group))];
  }

  /** The same, made one by one while they are iterated: of a million members, only ids, roles and names are kept. */
  async memberList(group: IdLike): Promise<MemberList> {
    const id = await this.#idOf("group", group);
    if (!(await this.#tables.groups()).has(id))
      throw new MerostoreError("UNKNOWN_NAME", `the database has no row of group ${quoted(idText(group))}`);
    const names = await this.#names();
    return membersOf({ reader: this.#reader, groups: await this.#tables.groups(), names }, id);
  }

  /**
   * The origins of a group and its members. Reads the namespace's log. Members are left out if their operation cannot
   * be read or was never logged. With `times: false` the operations have no times, and no deltas are read.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if there is no such group
   */
  async origins(group: IdLike, options: OriginsOptions = {}): Promise<Origins> {
    checkOptions("origins", options, originsOptions);
    const id = await this.#idOf("group", group);
    return originsOf(this.history(id, { times: true, ...options }), await this.#names(), id);
  }

  /**
   * The operations that gave a member of a group its present state, oldest first. Each has the rows that it set or
   * removed: rows of the member in the group, and of its account in the namespace. A device stands for its member.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if the group, the member or the device does not exist
   */
  async explain(group: IdLike, member: IdLike): Promise<readonly MemberChange[]> {
    const id = await this.#idOf("group", group);
    const { id: memberId } = await this.resolve(member, ["member", "key", "device"]);
    const namespace = await this.#namespaceOf(id);
    const about = { namespace, group: id, member: memberId };
    return withoutNonces(await explainMember(this.#reader, await this.#log(namespace), about));
  }

  /**
   * The node with its groups, members and contexts right after an operation of a namespace's log, as far as operations
   * determine them. Rows that no operation makes are as they are now. A list means exactly these, as a log may fork.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if no log has the operation
   */
  async at(operation: IdLike | readonly IdLike[], options: SignalOption = {}): Promise<CalimeroNode> {
    checkOptions("at", options, signalOption);
    const list = typeof operation === "string" || operation instanceof Uint8Array ? [operation] : operation;
    checkArgument("at", list, isList);
    const [first] = list;
    const { id } = await this.resolve(first ?? "", ["operation"]);
    const found = await this.operation(id);
    if (!found) throw new MerostoreError("UNKNOWN_NAME", `no log has the operation ${quoted(id)}`);
    const made = first === operation ? id : (operation as readonly IdLike[]).map(digitsOf);
    return new CalimeroNode(
      await rowsAfter(this.#reader, found.namespace.id, made, options.signal),
      this.#options,
    );
  }

  /** The groups in which an account is a member, open groups included. Before core-0.11, members are public keys. */
  async membershipsOf(member: IdLike): Promise<readonly Membership[]> {
    return membershipsOf(this.#reader, await this.#tables.groups(), await this.#names(), digitsOf(member));
  }

  /** The groups that a member left, or was removed from, each with the operation; no group that is gone. Replays all logs. */
  async departuresOf(member: IdLike, options: SignalOption = {}): Promise<readonly Departure[]> {
    checkOptions("departuresOf", options, signalOption);
    const [groups, names] = [await this.#tables.groups(), await this.#names()];
    const reader = readerWith(this.#reader, options.signal);
    const left = await departuresOf(
      reader,
      (namespace) => this.#log(namespace, options.signal),
      digitsOf(member),
    );
    return [...left]
      .filter(([id]) => groups.has(id))
      .map(([id, operation]) => ({ group: names.group(id), operation }));
  }

  /** The devices of an account, each once. */
  async devicesOf(account: IdLike): Promise<readonly DeviceRecord[]> {
    return [...(await this.#tables.signers()).values()].filter((one) => one.account === digitsOf(account));
  }

  /** All contexts with their sizes. Reads the state and the keys of all deltas once. */
  async contexts(): Promise<readonly ContextSummary[]> {
    return contextSummaries(this.#tables, await this.#names());
  }

  /** All contexts without their sizes, in the order of their ids. Reads a few rows of each. */
  async contextFacts(): Promise<readonly ContextFacts[]> {
    return contextFacts(this.#tables, await this.#names());
  }

  /** Everything about one context except its deltas and state; undefined if absent. */
  async context(context: IdLike): Promise<ContextDetails | undefined> {
    const id = await unlessUnknown(this.#idOf("context", context));
    const record = id === undefined ? undefined : (await this.#tables.contexts()).get(id);
    if (id === undefined || record === undefined) return undefined;
    return contextDetails(this.#tables, await this.#names(), record);
  }

  /** The applications, in the order of their ids. */
  async applications(): Promise<readonly ApplicationRecord[]> {
    return [...(await this.#tables.applications()).values()];
  }

  /**
   * The thing with a name or an id, in hex or base58; the first four characters of an id are enough. `kinds` limits the
   * search. If no row has the text, the newest 10,000 operations of the namespaces are searched.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if nothing matches; `AMBIGUOUS_NAME`, with the candidates, if several do
   */
  async resolve(text: IdLike, kinds?: readonly ThingKind[]): Promise<Named> {
    if (kinds !== undefined) checkArgument("resolve", kinds, isList);
    return resolve(await this.#resolver(), idText(text), kinds);
  }

  /** The number of digits that distinguish an id from all other ids of the database: at least eight. */
  async digitsFor(id: IdLike): Promise<number> {
    return (await this.#ids()).digitsFor(digitsOf(id));
  }

  /** The rows that have an id or a text. A name or the first digits of ids also find the rows that have the whole ids. */
  async *find(text: IdLike, options: ProgressOptions = {}): AsyncGenerator<Hit> {
    yield* findRows(this.#reader, await this.searchedFor(text), options);
  }

  /**
   * The searched ids, and the text unless it stands for the bytes of an id. Eight hex digits or more that begin no known
   * id are searched as bytes too: ids of entities, hashes and keys are in rows alone.
   */
  async searchedFor(text: IdLike): Promise<Searched> {
    return searchedFor({ ...(await this.#resolver()), said: this.#shortLogs }, idText(text));
  }

  /** The things that take the space, largest first. Reads every row once. */
  async sizes(by: SizeBy, options: ProgressOptions = {}): Promise<Sizes> {
    const [contexts, groups] = await Promise.all([this.#tables.contexts(), this.#tables.groups()]);
    return readSizes(this.#reader, by, { contexts, groups }, options);
  }

  /** Everything about a group except its members and its history; undefined if absent. */
  async groupDetails(group: IdLike): Promise<GroupDetails | undefined> {
    const id = await unlessUnknown(this.#idOf("group", group));
    const groups = await this.#tables.groups();
    const record = groups.get(id ?? "");
    if (record === undefined) return undefined;
    const namespace = namespaceOf(groups, record.id);
    return readGroupDetails(this.#reader, await this.#names(), record, namespace, this.#said);
  }

  /** The operation with an id, from any namespace's log; undefined if no log has it. */
  async operation(id: IdLike): Promise<Operation | undefined> {
    for (const { id: group, parent } of (await this.#tables.groups()).values()) {
      const operation =
        parent === undefined ? await (await this.#log(group)).operation(digitsOf(id)) : undefined;
      if (operation !== undefined) return operation;
    }
    return undefined;
  }

  /** The delta of an id; undefined if no context has it. */
  async delta(id: IdLike): Promise<Delta | undefined> {
    for (const context of (await this.#tables.contexts()).keys()) {
      const delta = await (await this.#deltas()).delta(context, digitsOf(id));
      if (delta !== undefined) return delta;
    }
    return undefined;
  }

  /** The keys and the account of this node. */
  own(): Promise<OwnNode> {
    return this.#tables.own();
  }

  /**
   * The operations of a namespace, newest first, decrypted if the database has the key. For any other group, the
   * operations of its namespace on this group, also after its deletion.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if there is no such group
   */
  async *history(group: IdLike, options: HistoryOptions = {}): AsyncGenerator<Operation, void, undefined> {
    checkOptions("history", options, historyOptions);
    const id = await this.#idOf("group", group);
    const namespace = await this.#namespaceOf(id);
    const log = await this.#log(namespace, options.signal);
    yield* followed(log.history(options, id === namespace ? undefined : id), options);
  }

  /** A group's own log, newest first: the operations that this node applied to the group. */
  async *groupLog(group: IdLike, options: HistoryOptions = {}): AsyncGenerator<Operation, void, undefined> {
    checkOptions("groupLog", options, historyOptions);
    const id = await this.#idOf("group", group);
    const namespace = await this.#namespaceOf(id);
    const names = await (await this.#log(namespace, options.signal)).logNames();
    yield* followed(groupLog(readerWith(this.#reader, options.signal), names, id, options), options);
  }

  /** The deltas of a context, newest first. */
  async *deltas(context: IdLike, options: HistoryOptions = {}): AsyncGenerator<Delta, void, undefined> {
    checkOptions("deltas", options, historyOptions);
    const id = await this.#idOf("context", context);
    const reader = readerWith(this.#reader, options.signal);
    const deltas = new Deltas(reader, await this.#names(), this.#shortLogs);
    yield* followed(deltas.history(id, options), options);
  }

  /**
   * Returns which rows follow which in the history of a context or a namespace, in contiguous memory: for histories of any
   * length. `deltasOf` and `operationsOf` return the details of single rows.
   *
   * @throws MerostoreError `UNKNOWN_NAME` if nothing is called so
   */
  async graph(thing: IdLike, options: GraphOptions = {}): Promise<HistoryGraph> {
    checkOptions("graph", options, graphOptions);
    const { own = false, kinds = ["namespace", "group", "context"], signal } = options;
    const { kind, id } = await this.resolve(thing, kinds);
    const reader = readerWith(this.#reader, signal);
    if (kind === "context") return new Deltas(reader, await this.#names(), this.#shortLogs).graph(id);
    const namespace = await this.#namespaceOf(id);
    const log = await this.#log(namespace, signal);
    if (!own && id === namespace) return log.graph();
    return groupLogGraph(reader, await log.logNames(), id);
  }

  /** Deltas of a context by their ids, in the order of the ids; undefined for an id without a delta. */
  async deltasOf(context: IdLike, ids: readonly IdLike[]): Promise<readonly (Delta | undefined)[]> {
    checkArgument("deltasOf", ids, isList);
    const id = await this.#idOf("context", context);
    return (await this.#deltas()).deltas(id, ids.map(digitsOf));
  }

  /**
   * Operations of a namespace's log by their ids, in the order of the ids; undefined for an id without an operation.
   */
  async operationsOf(namespace: IdLike, ids: readonly IdLike[]): Promise<readonly (Operation | undefined)[]> {
    checkArgument("operationsOf", ids, isList);
    const id = await this.#namespaceOf(await this.#idOf("group", namespace));
    return (await this.#log(id)).operations(ids.map(digitsOf));
  }

  /** The id of a group or context. A whole id needs no list of all ids. */
  async #idOf(of: "group" | "context", thing: IdLike): Promise<string> {
    const whole = wholeId(idText(thing));
    if (whole !== undefined && (await (of === "group" ? isGroup : isContext)(this.#tables, whole)))
      return whole;
    return (await this.resolve(thing, of === "group" ? ["namespace", "group"] : ["context"])).id;
  }

  async #resolver(): Promise<Resolver> {
    const names = await this.#names();
    return {
      ids: await this.#ids(),
      entries: () => names.entries(),
      nameOf: ({ kind, id }) => names.as(kind, id),
      said: this.#said,
      membersOf: (group) => everMembers(this, group),
      reader: this.#reader,
    };
  }

  /** The namespace of a group; for a group without a row, the namespace whose log has operations on it. */
  async #namespaceOf(group: string): Promise<string> {
    const groups = await this.#tables.groups();
    if (!groups.has(group))
      for (const { id, parent } of groups.values())
        if (parent === undefined && (await (await this.#log(id)).isAbout(group))) return id;
    return namespaceOf(groups, group);
  }

  async #log(namespace: string, signal?: AbortSignal): Promise<NamespaceLog> {
    if (signal !== undefined)
      return new NamespaceLog(readerWith(this.#reader, signal), await this.#names(), namespace);
    const log = this.#logs.get(namespace) ?? new NamespaceLog(this.#reader, await this.#names(), namespace);
    this.#logs.set(namespace, log);
    return log;
  }
}

/** Compares two nodes in one pass over their rows. */
import { fromHex } from "../bytes/hex.js";
import { type IdLike, idHex } from "../bytes/id.js";
import { GROUP_PARTS, OlderDeltaCounts, type RowDifference, rowsOfStore } from "../diff/browser.js";
import { differingRows } from "../diff/diff-rows.js";
import { namespaceOf } from "../node/tables/groups.js";
import { once } from "../node/tables/once.js";
import { isFunction, isList, isWholeNumber, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import { selectionOptions } from "../schemas/index.js";
import { AuthorViews, type RecordedRoot, type StateOptions } from "../state/index.js";
import { Causes, type Judge, type WhyDifference } from "./causes.js";
import { contextJudge } from "./context-judge.js";
import { groupJudge } from "./group.js";
import type { Naming } from "./naming.js";
import { AbsentJudge, RestJudge } from "./other-judges.js";
import type { Peer } from "./side.js";
import { type JudgedThing, UnreadJudge } from "./unread-judge.js";
import { UnreplayedJudge } from "./unreplayed.js";

/** Options of a comparison. It covers everything unless `context` or `group` is given. */
export interface WhyOptions extends ProgressOptions {
  /** Only this context. */
  readonly context?: IdLike | undefined;
  /** Only this group or namespace. */
  readonly group?: IdLike | undefined;
  /** Returns facts about the application of a context, such as its manifest. */
  readonly stateOptions?: ((contextId: Uint8Array) => Promise<StateOptions>) | undefined;
  /** Root hashes that a watcher recorded. They prove past states. */
  readonly record?: readonly RecordedRoot[] | undefined;
  /** The most rows that each cause lists; 1,000 by default. Its `rowCount` counts all of them. */
  readonly rows?: number | undefined;
}

/** The checks of {@link WhyOptions}. */
export const whyOptions: OptionChecks<WhyOptions> = {
  ...progressOptions,
  context: selectionOptions.contextId,
  group: selectionOptions.groupId,
  stateOptions: isFunction,
  record: isList,
  rows: isWholeNumber(0),
};

/** Compares two nodes: their contexts, then their groups, then all other rows. */
export async function comparePair(
  peers: readonly [Peer, Peer],
  naming: Naming,
  options: WhyOptions,
): Promise<readonly WhyDifference[]> {
  return new Pair(peers, naming, options).compare();
}

/** The most rows that each cause lists by default. */
const ROWS = 1_000;

/** The options, with ids in hex. */
interface OptionsInHex extends WhyOptions {
  readonly context: string | undefined;
  readonly group: string | undefined;
}

class Pair {
  readonly #peers: readonly [Peer, Peer];
  readonly #names: readonly [string, string];
  readonly #naming: Naming;
  readonly #options: OptionsInHex;
  readonly #contexts = new Map<string, Judge>();
  readonly #groups = new Map<string, Judge>();
  readonly #older: OlderDeltaCounts;
  readonly #named = once(() => this.#readNamed());

  constructor(peers: readonly [Peer, Peer], naming: Naming, options: WhyOptions) {
    this.#peers = peers;
    this.#names = [peers[0].name, peers[1].name];
    this.#naming = naming;
    const { context, group } = options;
    const hex = (id: IdLike | undefined): string | undefined => (id === undefined ? id : idHex(id));
    this.#options = { ...options, context: hex(context), group: hex(group) };
    this.#older = new OlderDeltaCounts(peers[0].source.reader.schema, peers[1].source.reader.schema);
  }

  async compare(): Promise<readonly WhyDifference[]> {
    const { context, group, onProgress, signal } = this.#options;
    signal?.throwIfAborted();
    const isWhole = context === undefined && group === undefined;
    const rest = await this.#unlessUnread(
      { of: "rest", id: undefined },
      () => new RestJudge(this.#noCauses()),
    );
    for (const id of await this.#contextIds()) {
      this.#contexts.set(id, await this.#contextJudge(id));
      signal?.throwIfAborted();
    }
    for (const id of await this.#groupIds()) {
      this.#groups.set(id, await this.#groupJudge(id));
      signal?.throwIfAborted();
    }
    const rows = differingRows(...this.#rows(), {
      contextId: context === undefined ? undefined : fromHex(context),
      groupId: group === undefined ? undefined : fromHex(group),
      onProgress,
      signal,
      ...(this.#isReplayed ? {} : { onPair: this.#older.add.bind(this.#older) }),
    });
    const pause = new Pause();
    for await (const row of rows) {
      if (pause.isLong) await pause.ifLong();
      if (!this.#isOfGroup(row)) ((await this.#judgeOf(row)) ?? rest).take(row);
    }
    const judges = [...this.#contexts.values(), ...this.#groups.values(), ...(isWhole ? [rest] : [])];
    const found: WhyDifference[] = [];
    for (const judge of judges) {
      signal?.throwIfAborted();
      found.push(await judge.decide());
    }
    return found;
  }

  #unlessUnread(thing: JudgedThing["thing"], make: () => Judge | Promise<Judge>): Promise<Judge> {
    return UnreadJudge.on({ thing, peers: this.#peers, causes: this.#noCauses() }, make);
  }

  get #isReplayed(): boolean {
    return this.#peers.every(({ source }) => AuthorViews.areOf(source.reader));
  }

  #noCauses(): Causes {
    return new Causes(this.#names, this.#options.rows ?? ROWS);
  }

  #rows(): [ReturnType<typeof rowsOfStore>, ReturnType<typeof rowsOfStore>] {
    const [a, b] = this.#peers;
    return [rowsOfStore(a.source.reader), rowsOfStore(b.source.reader)];
  }

  /** The contexts to compare: the selected one, or all that either node has joined. None if a group is selected. */
  async #contextIds(): Promise<readonly string[]> {
    const { context, group } = this.#options;
    if (context !== undefined) return [context];
    if (group !== undefined) return [];
    const ids = new Set<string>();
    for (const peer of this.#peers)
      for (const { id, rootHash, isUnread } of (await peer.contexts()).values())
        if (rootHash !== undefined || isUnread) ids.add(id);
    return [...ids].toSorted();
  }

  async #groupIds(): Promise<readonly string[]> {
    const { context, group } = this.#options;
    if (group !== undefined) return [group];
    if (context !== undefined) return [];
    const ids = new Set<string>();
    for (const peer of this.#peers)
      for (const { id, meta, isUnread } of (await peer.groups()).values())
        if (meta !== undefined || isUnread) ids.add(id);
    return [...ids].toSorted();
  }

  /** True for a row that belongs to a group, if only one context is compared. The comparison skips it. */
  #isOfGroup({ column, parts }: RowDifference): boolean {
    const isNamed = column === "Group" && GROUP_PARTS.some((part) => parts?.[part] !== undefined);
    return isNamed && this.#options.context !== undefined;
  }

  async #judgeOf({ column, kind, parts }: RowDifference): Promise<Judge | undefined> {
    const texts = (parts ?? {}) as Readonly<Record<string, string>>;
    const group = GROUP_PARTS.map((part) => texts[part]).find((id) => id !== undefined);
    const { context, group: meant } = this.#options;
    if (column === "Group" && group !== undefined) {
      const judge = this.#groups.get(group) ?? (await this.#groupJudge(group));
      this.#groups.set(group, judge);
      return judge;
    }
    const scope = kind === "ScopeUnifiedOp" ? texts.scope : undefined;
    if (scope !== undefined && this.#groups.has(scope)) return this.#groups.get(scope) as Judge;
    const id = context ?? texts.contextId ?? scope;
    if (meant !== undefined) return this.#groups.get(meant) as Judge;
    if (id === undefined) return undefined;
    const judge = this.#contexts.get(id) ?? (await this.#contextJudge(id));
    this.#contexts.set(id, judge);
    return judge;
  }

  async #contextJudge(id: string): Promise<Judge> {
    await Promise.all(this.#peers.map((peer) => peer.contexts()));
    return this.#unlessUnread({ of: "context", id }, () => this.#readContextJudge(id));
  }

  /** Makes the judge of a context. No row of the context is known to be unreadable yet. */
  async #readContextJudge(id: string): Promise<Judge> {
    const { stateOptions, record } = this.#options;
    const found = await Promise.all(this.#peers.map(async (peer) => (await peer.contexts()).get(id)));
    const lacking = this.#names.filter((_, at) => found[at]?.rootHash === undefined);
    if (lacking.length > 0) {
      const marks = await Promise.all(this.#peers.map((peer) => peer.marks(id)));
      const left = this.#names.filter((_, at) => marks[at]?.some(({ marker }) => marker === "left"));
      const why = left.length === 0 ? "" : `: ${left.join(" and ")} left it`;
      return new AbsentJudge({ of: "context", id }, this.#noCauses(), lacking, why);
    }
    const unreplayed = this.#peers.map(({ source }) => source.reader).find((one) => !AuthorViews.areOf(one));
    const [a, b] = found;
    if (unreplayed !== undefined && a !== undefined && b !== undefined)
      return new UnreplayedJudge(
        id,
        unreplayed.schema,
        this.#noCauses(),
        [a, b],
        () => this.#older.counts().get(id)?.older,
      );
    const contextId = fromHex(id);
    const options = { ...(await stateOptions?.(contextId)), record };
    const causes = this.#noCauses();
    return contextJudge({ contextId, peers: this.#peers, naming: this.#naming, options, causes });
  }

  async #groupJudge(id: string): Promise<Judge> {
    const groups = await Promise.all(this.#peers.map((peer) => peer.groups()));
    const namespace = await this.#namespaceOf(id);
    return this.#unlessUnread({ of: "group", id, namespace }, () =>
      this.#readGroupJudge(id, namespace, groups),
    );
  }

  /** Makes the judge of a group. No row of the group is known to be unreadable yet. */
  async #readGroupJudge(
    id: string,
    namespace: string,
    groups: readonly Awaited<ReturnType<Peer["groups"]>>[],
  ): Promise<Judge> {
    const lacking = [];
    for (const [at, peer] of this.#peers.entries())
      if (groups[at]?.get(id)?.meta === undefined && (await peer.governance(namespace)) === undefined)
        lacking.push(peer.name);
    if (lacking.length > 0) return new AbsentJudge({ of: "group", id }, this.#noCauses(), lacking);
    const causes = this.#noCauses();
    return groupJudge({ id, namespace, peers: this.#peers, naming: this.#naming, causes });
  }

  /**
   * The namespace of a group. For a deleted group, the namespace whose operations name the group; if none does, the
   * group's own id.
   */
  async #namespaceOf(id: string): Promise<string> {
    for (const peer of this.#peers) {
      const groups = await peer.groups();
      if (groups.has(id)) return namespaceOf(groups, id);
    }
    return (await this.#named()).get(id) ?? id;
  }

  /** Maps each group that operations name to its namespace. */
  async #readNamed(): Promise<ReadonlyMap<string, string>> {
    const named = new Map<string, string>();
    for (const peer of this.#peers)
      for (const namespace of await peer.namespaces())
        for (const group of (await peer.governance(namespace))?.groups ?? [])
          if (!named.has(group)) named.set(group, namespace);
    return named;
  }
}

/** The causes why two nodes differ in a group or namespace: missing operations, and the cause of each row. */
import { count, counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { RowFact } from "../node/index.js";
import type { Governance } from "../node/replay/governance.js";
import { goneFrom, isMemberOf, withoutKey } from "./absence.js";
import type { Causes, Decision, DifferingRows, Judge, NewCause, WhyDifference, Words } from "./causes.js";
import { ChangedHistory, signedBeside } from "./changed-history.js";
import { operationsLostBy } from "./lost.js";
import { LostRows } from "./lost-rows.js";
import { type Naming, shortId } from "./naming.js";
import { factText, isWrong, unsignedFact } from "./row-faults.js";
import type { Peer } from "./side.js";
import type { WhyVerdict } from "./verdict.js";

/** A node's part in a group. */
interface GroupSide {
  readonly peer: Peer;
  readonly governance: Governance | undefined;
  /** Operations that the other node has and this one lacks, in their order: on the group, or all of a namespace. */
  readonly lacks: readonly string[];
  /** The lacking operations that this node had: its own operations or heads follow them. */
  readonly lost: ReadonlySet<string>;
}

/** A group to judge. Ids are 64 hex digits. */
export interface JudgedGroup {
  readonly id: string;
  readonly namespace: string;
  readonly peers: readonly [Peer, Peer];
  readonly naming: Naming;
  /** Collects the causes; empty at first. */
  readonly causes: Causes;
}

/** The rows of a node that differ from the replay of its operations. */
interface Wrong {
  /** The fault of the first row; undefined without rows. */
  fact: RowFact | undefined;
  count: number;
  /** The wrong rows. A row that is wrong on both nodes belongs to the first one. */
  readonly rows: DifferingRows;
  /** The rows that unreadable operations may have set. */
  readonly unread: DifferingRows;
  /** The largest number of unreadable operations for one row. */
  unreadable: number;
}

/** Makes the judge of a group. Each node has the group, or operations of its namespace. */
export async function groupJudge(group: JudgedGroup): Promise<Judge> {
  const { id, namespace, peers } = group;
  const governed = await Promise.all(peers.map((peer) => peer.governance(namespace)));
  const sides = peers.map((peer, at): GroupSide => {
    const [own, other] = [governed[at], governed[1 - at]];
    const lacks = [...(other?.operations.values() ?? [])]
      .filter((operation) => id === namespace || operation.group === id)
      .filter((operation) => own?.operations.has(operation.id) !== true)
      .map((operation) => operation.id);
    const lost = operationsLostBy(own, other);
    return { peer, governance: own, lacks, lost: new Set(lacks.filter((one) => lost.has(one))) };
  }) as [GroupSide, GroupSide];
  return new GroupJudge(group, sides);
}

class GroupJudge implements Judge {
  readonly #group: JudgedGroup;
  readonly #sides: readonly [GroupSide, GroupSide];
  readonly #causes: Causes;
  /** Rows by the operation that one node lacks, cannot read or has not applied. */
  readonly #byOperation = new Map<string, DifferingRows>();
  readonly #byKey = new Map<string, DifferingRows>();
  readonly #wrong: ReadonlyMap<GroupSide, Wrong>;
  readonly #heads: DifferingRows;
  readonly #changed: ChangedHistory;
  readonly #changedKeys: ChangedHistory;
  readonly #lost: LostRows;
  /** Rows of the group's own log without a fact. */
  readonly #logged: RowDifference[] = [];
  /** The names of the nodes that have not applied an operation, by its id. */
  readonly #unapplied = new Map<string, string>();

  constructor(group: JudgedGroup, sides: readonly [GroupSide, GroupSide]) {
    this.#group = group;
    this.#sides = sides;
    const { causes } = group;
    this.#causes = causes;
    this.#heads = causes.noRows();
    this.#changed = new ChangedHistory("operation", causes.noRows());
    this.#changedKeys = new ChangedHistory("key", causes.noRows());
    this.#lost = new LostRows(causes);
    const none = (): Wrong => ({
      fact: undefined,
      count: 0,
      rows: causes.noRows(),
      unread: causes.noRows(),
      unreadable: 0,
    });
    this.#wrong = new Map(sides.map((side) => [side, none()]));
  }

  take(row: RowDifference): void {
    const { kind, key, difference, benign, parts } = row;
    const ids = Object.values(parts ?? {}) as string[];
    if (kind === "NamespaceGovOp" || kind === "ScopeUnifiedOp") {
      const operation = ids.at(-1) as string;
      const isChanged = difference === "different" && row.undecoded === undefined && benign === undefined;
      if (isChanged && isOperationChanged(row)) this.#changed.take(row);
      else if (this.#hinders(operation)) this.#append(this.#byOperation, operation, row);
      else if (isChanged) this.#changed.take(row);
      else if (benign !== undefined || kind !== "ScopeUnifiedOp" || !this.#lost.take(row, "operation"))
        this.#causes.take(row, benign === undefined ? "unexplained" : "expected");
      return;
    }
    if (kind === "GroupKeyEntry" && row.fields?.some(({ path }) => path === "groupKey")) {
      this.#changedKeys.take(row);
      return;
    }
    if (kind === "NamespaceGovHead" && this.#sides.some(({ lacks }) => lacks.length > 0)) {
      this.#heads.add(row);
      return;
    }
    const changes = this.#sides.map(({ governance }) =>
      kind === null ? undefined : governance?.lastChange(kind, ids),
    );
    const lost = changes.find((id) => id !== undefined && this.#sides.some((side) => side.lost.has(id)));
    if (lost !== undefined) {
      this.#append(this.#byOperation, lost, row);
      return;
    }
    const facts = this.#sides.map(({ governance }) => governance?.facts.get(key));
    const isKey = kind === "GroupKeyEntry" && difference !== "different";
    if (isKey && facts.every((fact) => fact === undefined || fact.status === "missing")) {
      this.#append(this.#byKey, `${difference} ${ids.at(-1)}`, row);
      return;
    }
    if (this.#takeFacts(facts, row)) return;
    if (kind === "GroupOpLog") {
      this.#logged.push(row);
      return;
    }
    const hindered = changes.find((id) => id !== undefined && this.#hinders(id));
    if (hindered !== undefined) this.#append(this.#byOperation, hindered, row);
    else if (kind === "GroupKeyEntry" && difference !== "different")
      this.#append(this.#byKey, `${difference} ${ids.at(-1)}`, row);
    else if (benign !== undefined || facts.some((fact) => fact?.writer !== undefined))
      this.#causes.take(row, "expected");
    // Fields that no operation sets may differ.
    else if (difference === "different" && changes[0] !== undefined && changes[0] === changes[1])
      this.#causes.take(row, "expected");
    else {
      const unapplied = changes.find((id) => id !== undefined);
      if (unapplied === undefined || difference === "different") this.#causes.take(row, "unexplained");
      else {
        this.#append(this.#byOperation, unapplied, row);
        this.#unapplied.set(unapplied, this.#sides[difference === "only in a" ? 1 : 0].peer.name);
      }
    }
  }

  async decide(): Promise<WhyDifference> {
    const { id, naming } = this.#group;
    const name = naming.group(id);
    for (const row of this.#logged) {
      const facts = this.#sides.map(({ peer, governance }) => unsignedFact(peer, governance, row));
      if (!this.#takeFacts(await Promise.all(facts), row)) this.#causes.take(row, "expected");
    }
    this.#addContradictions();
    const lacking = this.#sides.filter(({ lacks }) => lacks.length > 0);
    const [behind] = lacking;
    const other = this.#sides.find((side) => side !== behind) as GroupSide;
    const place = { group: id, naming, ahead: other.peer, behind: (behind ?? other).peer };
    const gone = behind !== undefined && lacking.length === 1 ? await goneFrom(place) : undefined;
    for (const cause of gone?.causes ?? []) this.#causes.add(cause);
    await this.#addOperations();
    const keys = await this.#addKeys();
    const { namespace, peers } = this.#group;
    const changed = await this.#changed.addTo(this.#causes, (one) => signedBeside(peers, namespace, one));
    const changedKeys = await this.#changedKeys.addTo(this.#causes, async () => undefined);
    const said = this.#decided(name, lacking, gone, keys);
    const words = [changed, changedKeys, ...this.#lost.add()].flatMap((one) => one ?? []);
    const decided = words.reduce(withWords, said);
    const isSame = decided.verdict === "equal" && this.#causes.unexplained.unexplainedCount > 0;
    return this.#causes.difference(
      { of: "group", id },
      isSame
        ? {
            verdict: "unexplained",
            sentence: this.#causes.unexplainedText("both have the same operations"),
            about: this.#sides.map(({ peer }) => peer.name),
          }
        : decided,
    );
  }

  #decided(
    name: string,
    lacking: readonly GroupSide[],
    gone: Pick<WhyDifference, "verdict" | "sentence"> | undefined,
    keys: Decision | undefined,
  ): Decision {
    const wrong = [...this.#wrong]
      .flatMap(([side, { fact }]) => (fact === undefined ? [] : { side, fact, node: side.peer.name }))
      .toSorted((a, b) => (a.node < b.node ? -1 : 1));
    const [first, second] = wrong;
    if (first !== undefined) {
      const other = this.#otherOf(first.side);
      const right = other.governance === undefined ? "" : `; ${other.peer.name} is right`;
      const judge =
        second === undefined ? right : `; so does one at ${second.node}: ${factText(second.fact)}`;
      const sentence = `a row of ${name} at ${first.node} differs from the replay of its operations: ${factText(first.fact)}${judge}`;
      return { verdict: "diverged", sentence, about: wrong.map(({ node }) => node) };
    }
    const about = lacking.map(({ peer }) => peer.name);
    const lack = (side: GroupSide): string => {
      const [own, other] = [side.peer.name, this.#otherOf(side).peer.name];
      const others = side.lacks.length - side.lost.size;
      const lost = `${own} lost ${counted(side.lost.size, "operation")} that it had applied and ${other} has`;
      if (side.lost.size > 0) return others === 0 ? lost : `${lost}, and lacks ${count(others)} more`;
      return `${own} lacks ${counted(others, "operation")} of ${other}`;
    };
    const [one, two] = lacking;
    if (lacking.some(({ lost }) => lost.size > 0))
      return { verdict: "operation-lost", sentence: lacking.map(lack).toSorted().join(", and "), about };
    if (one !== undefined && two !== undefined)
      return { verdict: "both", sentence: [lack(one), lack(two)].toSorted().join(", and "), about };
    if (one !== undefined) {
      const verdict: WhyVerdict = one === this.#sides[0] ? "behind" : "ahead";
      const reason = gone === undefined ? "" : `${gone.sentence}: `;
      return { verdict: gone?.verdict ?? verdict, sentence: `${reason}${lack(one)}`, about };
    }
    return keys ?? { verdict: "equal", sentence: "both have the same operations", about: [] };
  }

  /** Adds a cause for each operation that a node lacks, cannot read or has not applied, in their order. */
  async #addOperations(): Promise<void> {
    const order = new Map<string, number>();
    for (const { governance } of this.#byName)
      for (const id of governance?.operations.keys() ?? []) if (!order.has(id)) order.set(id, order.size);
    const ids = new Set([...this.#sides.flatMap(({ lacks }) => lacks), ...this.#byOperation.keys()]);
    let last = -1;
    for (const id of [...ids].toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))) {
      const at = this.#causes.add(await this.#operationCause(id));
      const rows = this.#byOperation.get(id);
      if (rows !== undefined) this.#causes.takeAll(rows, at);
      if (this.#sides.some(({ lacks }) => lacks.includes(id))) last = at;
    }
    this.#causes.takeAll(this.#heads, last);
  }

  async #operationCause(id: string): Promise<NewCause> {
    const lacking = this.#sides.find(({ governance }) => governance?.operations.has(id) !== true);
    const unreading = this.#sides.find(
      ({ governance }) => governance?.operations.get(id)?.isReadable === false,
    );
    const side = lacking ?? unreading;
    const has = side === undefined ? this.#sides[0] : this.#otherOf(side);
    const [operation] = await has.peer.source.node.operationsOf(this.#group.namespace, [id]);
    const text =
      operation === undefined ? `operation ${shortId(id)}` : this.#group.naming.operation(operation);
    const isNowhere = this.#sides.every(({ governance }) => governance?.operations.has(id) !== true);
    if (isNowhere) return { rule: "operation", sentence: `neither node has ${text}`, operations: [id] };
    const what =
      side === undefined
        ? `${this.#unapplied.get(id)} has not applied`
        : `${side.peer.name} ${lacking === undefined ? "cannot read" : side.lost.has(id) ? "lost" : "lacks"}`;
    return { rule: "operation", sentence: `${what} ${text}`, operations: [id] };
  }

  /** Adds a cause for each key that one node does not hold. Returns the verdict if one of them is the newest key. */
  async #addKeys(): Promise<Decision | undefined> {
    const { id, naming } = this.#group;
    let decided: Decision | undefined;
    for (const [name, rows] of this.#byKey) {
      const key = name.slice(-64);
      const [holder, lacker] = name.startsWith("only in a") ? this.#sides : [this.#sides[1], this.#sides[0]];
      const sentence = `${lacker.peer.name} does not hold the key ${shortId(key)} of ${naming.group(id)}`;
      const place = { group: id, naming, ahead: holder.peer, behind: lacker.peer };
      const missing = decided === undefined ? await withoutKey(place) : undefined;
      const isMember = missing !== undefined && (await isMemberOf(place));
      const gone = missing === undefined ? undefined : await goneFrom(place);
      if (missing !== undefined && (isMember || gone !== undefined)) {
        const about = [lacker.peer.name];
        for (const cause of gone?.causes ?? []) this.#causes.add(cause);
        decided =
          gone === undefined
            ? { ...missing, about }
            : { verdict: "left", sentence: `${gone.sentence}: ${sentence}`, about };
      }
      const by = [...(holder.governance?.operations.values() ?? [])].find(({ newKey }) => newKey === key);
      const [operation] =
        by === undefined ? [] : await holder.peer.source.node.operationsOf(this.#group.namespace, [by.id]);
      const isSaid =
        by !== undefined && this.#causes.of("account").some((one) => one.operations?.includes(by.id));
      const brought =
        operation === undefined
          ? ""
          : isSaid
            ? `, of operation ${operation.sequence}`
            : `, which came with ${naming.operation(operation)}`;
      const operations = by === undefined ? [] : [by.id];
      const at = this.#causes.add({
        rule: "key",
        sentence: `${sentence}${brought}${missing === undefined || isMember || gone ? "" : ", of which it is not a member"}`,
        operations,
      });
      this.#causes.takeAll(rows, at);
    }
    return decided;
  }

  /** Takes a row that is wrong on a node by its facts. Returns false for other rows. */
  #takeFacts(facts: readonly (RowFact | undefined)[], row: RowDifference): boolean {
    let isTaken = false;
    for (const side of this.#byName) {
      const fact = facts[this.#sides.indexOf(side)];
      // A log lists every applied operation, also those that the node lost later.
      const lacksSome = side.lacks.length > 0 || (side.governance?.lost.size ?? 0) > 0;
      const isUnknown = lacksSome && fact?.kind === "GroupOpLog" && fact.status !== "differs";
      if (fact === undefined || isUnknown || !isWrong(fact)) continue;
      this.#takeWrong(side, fact, isTaken ? undefined : row);
      isTaken = true;
    }
    return isTaken;
  }

  /** True if a node lacks an operation, or if only one node can read it. */
  #hinders(id: string): boolean {
    const found = this.#sides.map(({ governance }) => governance?.operations.get(id));
    return found.includes(undefined) || found[0]?.isReadable !== found[1]?.isReadable;
  }

  /** The sides in the order of their names, so that the order of the nodes does not decide the cause of a row. */
  get #byName(): readonly GroupSide[] {
    return this.#sides.toSorted((a, b) => (a.peer.name < b.peer.name ? -1 : 1));
  }

  #otherOf(side: GroupSide): GroupSide {
    return side === this.#sides[0] ? this.#sides[1] : this.#sides[0];
  }

  /** @param row undefined if it belongs to the fault of the other node */
  #takeWrong(side: GroupSide, fact: RowFact, row: RowDifference | undefined): void {
    const wrong = this.#wrong.get(side) as Wrong;
    if (fact.unreadable > 0) {
      wrong.unreadable = Math.max(wrong.unreadable, fact.unreadable);
      if (row !== undefined) wrong.unread.add(row);
      return;
    }
    wrong.fact ??= fact;
    wrong.count++;
    if (row !== undefined) wrong.rows.add(row);
  }

  #append(map: Map<string, DifferingRows>, name: string, row: RowDifference): void {
    const rows = map.get(name) ?? this.#causes.noRows();
    map.set(name, rows);
    rows.add(row);
  }

  #addContradictions(): void {
    for (const [{ peer }, { count, rows, unread, unreadable }] of this.#wrong) {
      const differ = count === 1 ? "differs" : "differ";
      if (count > 0)
        this.#takeAll(rows, {
          rule: "contradiction",
          sentence: `${counted(count, "row")} of ${peer.name} ${differ} from the replay of its operations`,
        });
      if (unread.count > 0)
        this.#takeAll(unread, {
          rule: "key",
          sentence: `${peer.name} cannot read ${counted(unreadable, "operation")}, which may have changed this`,
        });
    }
  }

  #takeAll(rows: DifferingRows, cause: NewCause): void {
    this.#causes.takeAll(rows, this.#causes.add(cause));
  }
}

/** True if the bytes of an operation differ. Its id covers all bytes, also those that a node cannot decrypt. */
function isOperationChanged({ kind, fields = [] }: RowDifference): boolean {
  // A node may keep only the skeleton of an operation if it had no key for it.
  return kind === "NamespaceGovOp" && !fields.some(({ path }) => /^skeletonBytes(\.kind)?$/.test(path));
}

/** Adds the words on differing rows to a verdict. */
function withWords({ verdict, sentence, about }: Decision, words: Words): Decision {
  if (verdict === "equal")
    return { ...words, verdict: "diverged", sentence: `${sentence}, but ${words.sentence}` };
  return {
    verdict,
    sentence: `${sentence}; ${words.sentence}`,
    about: [...new Set([...about, ...words.about])],
  };
}

/** The causes why two nodes differ in a group or namespace: missing operations, and the cause of each row. */
import { count, counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import { goneFrom } from "./absence.js";
import type { Causes, Decision, DifferingRows, Judge, NewCause, WhyDifference, Words } from "./causes.js";
import { ChangedHistory, signedBeside } from "./changed-history.js";
import { LackingKeys } from "./group-keys.js";
import {
  byName,
  type GroupSide,
  type GroupSides,
  groupSides,
  type JudgedGroup,
  otherOf,
} from "./group-side.js";
import { LostRows } from "./lost-rows.js";
import { shortId } from "./naming.js";
import { unsignedFact } from "./row-faults.js";
import type { WhyVerdict } from "./verdict.js";
import { WrongRows } from "./wrong-rows.js";

/** Makes the judge of a group. Each node has the group, or operations of its namespace. */
export async function groupJudge(group: JudgedGroup): Promise<Judge> {
  return new GroupJudge(group, await groupSides(group));
}

class GroupJudge implements Judge {
  readonly #group: JudgedGroup;
  readonly #sides: GroupSides;
  readonly #causes: Causes;
  /** Rows by the operation that one node lacks, cannot read or has not applied. */
  readonly #byOperation = new Map<string, DifferingRows>();
  readonly #keys: LackingKeys;
  readonly #wrong: WrongRows;
  readonly #heads: DifferingRows;
  readonly #changed: ChangedHistory;
  readonly #changedKeys: ChangedHistory;
  readonly #lost: LostRows;
  /** Rows of the group's own log without a fact. */
  readonly #logged: RowDifference[] = [];
  /** The names of the nodes that have not applied an operation, by its id. */
  readonly #unapplied = new Map<string, string>();

  constructor(group: JudgedGroup, sides: GroupSides) {
    this.#group = group;
    this.#sides = sides;
    const { causes } = group;
    this.#causes = causes;
    this.#heads = causes.noRows();
    this.#changed = new ChangedHistory("operation", causes.noRows());
    this.#changedKeys = new ChangedHistory("key", causes.noRows());
    this.#lost = new LostRows(causes);
    this.#keys = new LackingKeys(group, sides);
    this.#wrong = new WrongRows(sides, causes);
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
      this.#keys.take(row, ids.at(-1) as string);
      return;
    }
    if (this.#wrong.take(facts, row)) return;
    if (kind === "GroupOpLog") {
      this.#logged.push(row);
      return;
    }
    const hindered = changes.find((id) => id !== undefined && this.#hinders(id));
    if (hindered !== undefined) this.#append(this.#byOperation, hindered, row);
    else if (kind === "GroupKeyEntry" && difference !== "different")
      this.#keys.take(row, ids.at(-1) as string);
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
      if (!this.#wrong.take(await Promise.all(facts), row)) this.#causes.take(row, "expected");
    }
    this.#wrong.add();
    const lacking = this.#sides.filter(({ lacks }) => lacks.length > 0);
    const [behind] = lacking;
    const other = this.#sides.find((side) => side !== behind) as GroupSide;
    const place = { group: id, naming, ahead: other.peer, behind: (behind ?? other).peer };
    const gone = behind !== undefined && lacking.length === 1 ? await goneFrom(place) : undefined;
    for (const cause of gone?.causes ?? []) this.#causes.add(cause);
    await this.#addOperations();
    const keys = await this.#keys.add();
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
    const wrong = this.#wrong.decided(name);
    if (wrong !== undefined) return wrong;
    const about = lacking.map(({ peer }) => peer.name);
    const lack = (side: GroupSide): string => {
      const [own, other] = [side.peer.name, otherOf(this.#sides, side).peer.name];
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
    for (const { governance } of byName(this.#sides))
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
    const has = side === undefined ? this.#sides[0] : otherOf(this.#sides, side);
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

  /** True if a node lacks an operation, or if only one node can read it. */
  #hinders(id: string): boolean {
    const found = this.#sides.map(({ governance }) => governance?.operations.get(id));
    return found.includes(undefined) || found[0]?.isReadable !== found[1]?.isReadable;
  }

  #append(map: Map<string, DifferingRows>, name: string, row: RowDifference): void {
    const rows = map.get(name) ?? this.#causes.noRows();
    map.set(name, rows);
    rows.add(row);
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

/** Deltas, operations or keys that both nodes have with different rows. */
import { fromHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import { NamespaceGovOp } from "../keys/index.js";
import { signedThing } from "../node/signed.js";
import type { Causes, DifferingRows, Words } from "./causes.js";
import { listed, shortId } from "./naming.js";
import type { Peer, Side } from "./side.js";

/** Gathers the differing rows of deltas, of operations, or of keys. */
export class ChangedHistory {
  readonly #what: "delta" | "operation" | "key";
  readonly #rows: DifferingRows;
  readonly #ids = new Set<string>();
  /** The words on the differing fields of the last row. */
  #fields = "";

  /** @param rows an empty list */
  constructor(what: "delta" | "operation" | "key", rows: DifferingRows) {
    this.#what = what;
    this.#rows = rows;
  }

  /** Takes a row that differs. */
  take(row: RowDifference): void {
    const { key, fields = [], moreFields = 0 } = row;
    const [field, ...more] = fields;
    this.#fields =
      field?.path && more.length === 0
        ? `${field.path} differs`
        : `${counted(fields.length + moreFields, "field")} differ`;
    this.#rows.add(row);
    this.#ids.add(key.slice(-64));
  }

  /**
   * Adds the cause of the rows. Returns the words on it; undefined without rows.
   *
   * @param rightAbout returns the name of the node whose item a hash or a signature proves; undefined without a proof
   */
  async addTo(
    causes: Causes,
    rightAbout: (id: string) => Promise<string | undefined>,
  ): Promise<Words | undefined> {
    const ids = [...this.#ids];
    const [id, ...more] = ids;
    if (id === undefined) return undefined;
    const names = causes.names.toSorted();
    const isOne = more.length === 0;
    const right = isOne ? await rightAbout(id) : undefined;
    const judge = right === undefined ? "" : `; ${right} is right`;
    const items = isOne ? `${this.#what} ${shortId(id)} is` : `${counted(ids.length, this.#what)} are`;
    const sentence = `${items} not the same at ${listed(names)}${isOne ? `: ${this.#fields}` : ""}${judge}`;
    const of = {
      ...(this.#what === "delta" && { deltas: ids }),
      ...(this.#what === "operation" && { operations: ids }),
    };
    causes.takeAll(this.#rows, causes.add({ rule: "changed", sentence, ...of }));
    return { sentence, about: names.filter((name) => name !== right) };
  }
}

/**
 * The name of the node whose replay gives the root hash in a delta, if the other node's replay gives another one;
 * otherwise undefined.
 */
export async function provenBeside(sides: readonly [Side, Side], id: string): Promise<string | undefined> {
  const verdicts = [];
  for (const { replay } of sides)
    verdicts.push(replay.graph.numberOf(id) === undefined ? "" : (await replay.position(id)).verdict);
  const right = verdicts.findIndex((one) => one.startsWith("proven"));
  return verdicts[1 - right] === "differs" ? sides[right]?.source.name : undefined;
}

/**
 * The name of the only node that has an operation with its right id and signature; undefined if both nodes or neither
 * have.
 *
 * @param namespace 64 hex digits
 */
export async function signedBeside(
  peers: readonly [Peer, Peer],
  namespace: string,
  id: string,
): Promise<string | undefined> {
  const key = new NamespaceGovOp({ namespaceId: fromHex(namespace), deltaId: fromHex(id) });
  const right = [];
  for (const { name, source } of peers) {
    const value = await source.reader.raw.get(NamespaceGovOp.COLUMN, key.bytes);
    const signed = value && signedThing(value);
    if (signed?.isSigned && signed.id === id) right.push(name);
  }
  return right.length === 1 ? right[0] : undefined;
}

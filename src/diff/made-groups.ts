/** Groups that one of two nodes made. That node keeps defaults, and no operation tells them to the other. */
import { equalBytes } from "../bytes/order.js";
import type { RowDifference } from "./compare-rows.js";

/** The capabilities that the maker of a group gives its members. */
const MAKERS_DEFAULT = Uint8Array.of(4, 0, 0, 0);

const BY_MAKER = /^(createdAt|appKey|upgradePolicy.*|autoJoin)$/;

const WHY = "the node that makes a group lets members join and gives them capabilities, without an operation";

/** Finds the groups that one of two nodes made. Takes the differing rows of both sides, in the order of their keys. */
export class MadeGroups {
  /** The side and the id of each. */
  readonly #made = new Set<string>();

  /** The reason why two correct nodes may have a difference; undefined if they should not. */
  reason(
    { kind, parts, difference, fields = [] }: RowDifference,
    value: Uint8Array | undefined,
  ): string | undefined {
    const group = `${parts?.groupId}`;
    if (kind === "GroupDefaultCaps" && value !== undefined)
      return this.#made.has(`${difference} ${group}`) && equalBytes(value, MAKERS_DEFAULT) ? WHY : undefined;
    if (kind !== "GroupMeta" || !fields.every(({ path }) => BY_MAKER.test(path))) return undefined;
    const [createdAt, autoJoin] = ["createdAt", "autoJoin"].map((name) =>
      fields.find(({ path }) => path === name),
    );
    const maker = `${createdAt?.a}` === "0" ? "b" : `${createdAt?.b}` === "0" ? "a" : undefined;
    if (maker === undefined || autoJoin?.[maker] !== true) return undefined;
    this.#made.add(`only in ${maker} ${group}`);
    return WHY;
  }
}

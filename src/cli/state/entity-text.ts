/** The details of an entity, on one line. */
import { isZeros } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { millisOfNtp64 } from "../../bytes/ntp64.js";
import { count } from "../../bytes/quantity.js";
import type { EntityDetails } from "../../state/index.js";
import { type IdLook, idText } from "../output/id-look.js";
import { shortDate } from "../output/lines.js";
import { printable } from "../output/text.js";

/** Digits of an id on a terminal. */
const DIGITS = 16;

/** Times, owner, writers, stored name, deleted entries and id of an entity. */
export function entityText(details: EntityDetails, utc: boolean, ids: IdLook): string {
  const shown = (hex: string): string => idText(hex, ids, DIGITS);
  const { created, updated, deleted, storage, owner, writers, name, deletedChildren, id } = details;
  const [made, changed] = [timeText(created, utc), timeText(updated, utc)];
  const parts = [
    `created ${made}`,
    ...(changed === made ? [] : [`updated ${changed}`]),
    ...(deleted === undefined ? [] : [`deleted ${timeText(deleted, utc)}`]),
    ...(storage === "Public"
      ? []
      : [storage === "User" ? `owner ${shown(owner ?? "")}` : printable(storage)]),
    ...(writers === undefined
      ? []
      : [`writers ${writers.map(({ account, mask }) => `${shown(account)} (${mask})`).join(" ")}`]),
    ...(name === undefined ? [] : [`stored as ${printable(name)}`]),
    ...(deletedChildren === 0 ? [] : [`${count(deletedChildren)} deleted`]),
    `id ${shown(id)}`,
  ];
  return `· ${parts.join(", ")}`;
}

/** The time and the writer of a register's last write. */
export function registerText(time: bigint, node: Uint8Array | undefined, utc: boolean, ids: IdLook): string {
  if (time === 0n) return "· never written";
  const who = node === undefined || isZeros(node) ? "" : ` by ${idText(toHex(node), ids, DIGITS)}`;
  return `· written ${shortDate(millisOfNtp64(time), utc)}${who}`;
}

function timeText(nanoseconds: bigint, utc: boolean): string {
  return shortDate(Number(nanoseconds / 1_000_000n), utc);
}

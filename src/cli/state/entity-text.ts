/** The details of an entity, on one line. */
import { toHex } from "../../bytes/hex.js";
import { count } from "../../bytes/quantity.js";
import type { EntityDetails } from "../../state/index.js";
import { shortDate } from "../lines.js";
import { printable } from "../text.js";

/** Digits of an id on a terminal. */
const DIGITS = 16;

/** Times, owner, writers, stored name, deleted entries and id of an entity. Ids are cut unless `whole`. */
export function entityText(details: EntityDetails, utc: boolean, whole: boolean): string {
  const idText = (hex: string): string => (whole ? hex : hex.slice(0, DIGITS));
  const { created, updated, deleted, storage, owner, writers, name, deletedChildren, id } = details;
  const [made, changed] = [timeText(created, utc), timeText(updated, utc)];
  const parts = [
    `created ${made}`,
    ...(changed === made ? [] : [`updated ${changed}`]),
    ...(deleted === undefined ? [] : [`deleted ${timeText(deleted, utc)}`]),
    ...(storage === "Public"
      ? []
      : [storage === "User" ? `owner ${idText(owner ?? "")}` : printable(storage)]),
    ...(writers === undefined
      ? []
      : [`writers ${writers.map(({ account, mask }) => `${idText(account)} (${mask})`).join(" ")}`]),
    ...(name === undefined ? [] : [`stored as ${printable(name)}`]),
    ...(deletedChildren === 0 ? [] : [`${count(deletedChildren)} deleted`]),
    `id ${idText(id)}`,
  ];
  return `· ${parts.join(", ")}`;
}

/** The time and the writer of a register's last write. */
export function registerText(
  time: bigint,
  node: Uint8Array | undefined,
  utc: boolean,
  whole: boolean,
): string {
  if (time === 0n) return "· never written";
  const writer = node?.some((byte) => byte !== 0) ? toHex(node) : "";
  const who = writer === "" ? "" : ` by ${writer.slice(0, whole ? 64 : DIGITS)}`;
  const millis = Number(time >> 32n) * 1000 + Math.floor((Number(time & 0xffff_ffffn) * 1000) / 2 ** 32);
  return `· written ${shortDate(millis, utc)}${who}`;
}

function timeText(nanoseconds: bigint, utc: boolean): string {
  return shortDate(Number(nanoseconds / 1_000_000n), utc);
}

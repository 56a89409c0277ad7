/** Commands that print things of real nodes, for tests of their common properties. */
import { fixturePath } from "../support/fixtures.js";

export const nodeA = fixturePath("core-0.11/node-a", "db");
const nodeB = fixturePath("core-0.11/node-b", "db");

/** Commands with their words after the database. */
export const printing: readonly (readonly [string, ...string[]])[] = [
  ["status"],
  ["groups"],
  ["groups", "office"],
  ["contexts"],
  ["contexts", "lobby"],
  ["contexts", "--at", "2026-11-21T05:51:40Z"],
  ["contexts", "lobby", "--at", "20"],
  ["members", "office"],
  ["members", "office", "--at", "9"],
  ["log", "--limit", "30"],
  ["log", "office"],
  ["log", "office", "--own"],
  ["log", "office", "--graph"],
  ["log", "office", "--explain", "38ec7407"],
  ["log", "lobby", "--patch", "--limit", "3"],
  ["log", "lobby", "--entry", "items.a10"],
  ["show", "office"],
  ["show", "lobby"],
  ["show", "38ec7407"],
  ["show", "7c23009770446b37123987b5ab817500a82c638b7a0788cf842c450b553ff13f"],
  ["state", "lobby", "--limit", "2", "--metadata"],
  ["state", "lobby", "--blame", "--limit", "3"],
  ["state", "lobby", "--at", "20", "--diff", "23"],
  ["migration"],
  ["find", "office"],
  ["du"],
  ["du", "--by", "kind"],
  ["du", "--by", "group"],
  ["why", nodeB],
  ["why-not", "38ec7407", "write", "lobby"],
  ["hash", nodeB],
  ["bisect", "lobby", 'items["a10"] = "first 10"'],
  ["verify"],
  ["verify", "--all"],
  ["diff", nodeB],
  ["diff", nodeB, "--rows"],
  ["scan", "GroupMember"],
  ["scan", "NamespaceGovOp", "--limit", "3"],
  ["blobs list"],
  ["blobs show", "9ef66f09"],
  ["upgrade-check", "--to", "core-1.0"],
];

/** The words of a command with the database. */
export function wordsOf([command, ...words]: (typeof printing)[number]): readonly string[] {
  return command.includes(" ") ? [...command.split(" "), nodeA, ...words] : [command, nodeA, ...words];
}

import { core10Subject } from "./core-1.0.js";
import { Subject } from "./subject.js";

/**
 * Databases of every kind, written by nodes or by the crates of the node, the small ones of a revision first. Of two with
 * the same rows one is enough.
 */
const NAMES = [
  "core-0.10/node-b",
  "core-0.10/node-a",
  "core-0.10/log-and-tables",
  "core-0.11/node-c",
  "core-0.11/node-b",
  "core-0.11/log",
  "core-0.11/node-a",
];

/** Opens fixtures, and the database of core-1.0, which no node has written: it is made. */
export function openSubjects(fixtures: string, names: readonly string[] = NAMES): Promise<Subject[]> {
  return Promise.all([...names.map((name) => Subject.open(fixtures, name)), core10Subject()]);
}

/** The lines of the tree of a state: the rows, the loaded rows of open ones, and the lines between. */
import type { Answer } from "../../page/worker-client.js";

/** A row of the tree. */
export type StateRow = Answer<"stateRoot">["rows"][number];
/** An entity that no field reaches. */
export type LostEntity = NonNullable<Answer<"stateSurvey">>["unreachable"][number];

/** The loaded rows below a row. */
export interface Loaded {
  readonly rows: readonly StateRow[];
  readonly total: number;
  readonly isSorted: boolean;
  readonly problem: StateRow["problem"];
  readonly isLoading: boolean;
}

/** A line of the table. */
export type TreeLine = { readonly key: string; readonly depth: number } & (
  | { readonly kind: "row"; readonly row: StateRow; readonly isOpen: boolean }
  | { readonly kind: "more"; readonly of: StateRow; readonly loaded: Loaded }
  | { readonly kind: "waiting" }
  | { readonly kind: "problem"; readonly problem: NonNullable<StateRow["problem"]> }
  | {
      readonly kind: "group";
      readonly words: string;
      readonly count: number | undefined;
      readonly isOpen: boolean | undefined;
    }
  | { readonly kind: "secret"; readonly rows: number }
  | { readonly kind: "lost"; readonly lost: LostEntity }
);

/** The parts of the lines. */
export interface TreeParts {
  readonly root: Answer<"stateRoot">;
  readonly survey: Answer<"stateSurvey"> | undefined;
  readonly loaded: ReadonlyMap<string, Loaded>;
  readonly open: ReadonlySet<string>;
  /** A row that is shown even if it is not loaded, and its parent row. */
  readonly pinned: { readonly row: StateRow; readonly within: string } | undefined;
  readonly isRevealed: boolean;
}

/** The key of the heading of the entities that no field reaches. */
const LOST = "#lost";

/** The lines, from the top down. */
export function treeLines({
  root,
  survey,
  loaded,
  open,
  pinned,
  isRevealed,
}: TreeParts): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const add = (rows: readonly StateRow[], depth: number): void => {
    for (const row of rows) {
      const isOpen = row.opens !== undefined && open.has(row.key);
      lines.push({ kind: "row", key: row.key, depth, row, isOpen });
      if (!isOpen) continue;
      const inside = loaded.get(row.key);
      if (inside === undefined) {
        lines.push({ kind: "waiting", key: `${row.key} waiting`, depth: depth + 1 });
        continue;
      }
      if (inside.problem !== undefined)
        lines.push({ kind: "problem", key: `${row.key} problem`, depth: depth + 1, problem: inside.problem });
      add(inside.rows, depth + 1);
      if (inside.rows.length < inside.total && inside.problem === undefined)
        lines.push({ kind: "more", key: `${row.key} more`, depth: depth + 1, of: row, loaded: inside });
      if (pinned?.within === row.key && !inside.rows.some(({ key }) => key === pinned.row.key))
        add([pinned.row], depth + 1);
    }
  };
  add(root.rows, 0);
  for (const { name, rows, problem } of root.privateStructs) {
    const words = `Private to this node: ${name}`;
    lines.push({
      kind: "group",
      key: `#private ${name}`,
      depth: 0,
      words,
      count: undefined,
      isOpen: undefined,
    });
    if (problem !== undefined)
      lines.push({ kind: "problem", key: `#private ${name} problem`, depth: 0, problem });
    add(rows, 0);
  }
  if (root.privateRows > 0 && root.privateStructs.length === 0) {
    const words = "Private to this node";
    lines.push({ kind: "group", key: "#private", depth: 0, words, count: undefined, isOpen: undefined });
    lines.push({
      kind: "secret",
      key: isRevealed ? "#unknown" : "#secret",
      depth: 0,
      rows: root.privateRows,
    });
  }
  if (survey !== undefined && survey.unreachableCount > 0) {
    const isOpen = open.has(LOST);
    const words = "Entities that the application does not see";
    lines.push({ kind: "group", key: LOST, depth: 0, words, count: survey.unreachableCount, isOpen });
    if (isOpen)
      for (const lost of survey.unreachable)
        lines.push({ kind: "lost", key: `#lost ${lost.id}`, depth: 1, lost });
  }
  return lines;
}

/** Rows that open by themselves: a single row, and small collections while they fit about one screen. */
export function opensItself(row: StateRow, linesSoFar: number): boolean {
  if (linesSoFar <= 1 && row.opens !== undefined && row.opens > 0) return true;
  return row.opens !== undefined && row.opens > 0 && row.opens <= 12 && linesSoFar + row.opens <= 40;
}

/** Filters of rows as people write them: `authorId = Zoë and hlc.time > 05:52`, or a word. */
import { compareCells } from "./cell-order.js";
import type { Cell } from "./cells.js";

/** Returns whether the cells of a row pass. */
export type RowTest = (cells: Readonly<Record<string, Cell>>) => boolean;

const TERM = /^\s*([\w.]+)\s*(!=|>=|<=|=|>|<)\s*(.*?)\s*$/;

/** Reads a filter: terms with `and` between them. A term without a comparison is a word that a cell must have. */
export function rowTest(where: string): RowTest {
  const tests = where
    .split(/\s+and\s+/i)
    .map((term) => term.trim())
    .filter((term) => term !== "")
    .map(testOf);
  return (cells) => tests.every((test) => test(cells));
}

function testOf(term: string): RowTest {
  const [, name, sign, wanted] = TERM.exec(term) ?? [];
  if (name === undefined || sign === undefined || wanted === undefined) {
    const word = term.toLowerCase();
    return (cells) => Object.values(cells).some((cell) => textsOf(cell).some((text) => text.includes(word)));
  }
  const sought = wanted.toLowerCase();
  return (cells) => {
    const cell = cells[name];
    const texts = cell === undefined ? [] : textsOf(cell);
    if (sign === "=") return texts.some((text) => isCalled(text, sought, cell));
    if (sign === "!=") return !texts.some((text) => isCalled(text, sought, cell));
    const [text] = texts;
    if (text === undefined || cell?.look === "none") return false;
    const order = compareCells(text, sought);
    return sign === ">" ? order > 0 : sign === "<" ? order < 0 : sign === ">=" ? order >= 0 : order <= 0;
  };
}

/** The text of a cell, and the name of its thing. A secret has neither. */
function textsOf({ text, thing, look }: Cell): readonly string[] {
  if (look === "secret") return [];
  return [...(thing?.name === undefined ? [] : [thing.name]), text].map((one) => one.toLowerCase());
}

/** The first digits of an id match the id. */
function isCalled(text: string, sought: string, cell: Cell | undefined): boolean {
  return text === sought || (cell?.id === text && sought.length >= 4 && text.startsWith(sought));
}

/** The graph of a history, drawn beside its lines, newest first: one lane for each line of descent. */
import type { Linked } from "../../node/index.js";

/** Characters of a lane. */
const LANE = 2;
/** The most drawn lanes if lines have no end. */
const MOST = 24;
/** The least number of characters for the text. */
const TEXT = 44;

/** The drawing before the lines of a row. */
interface Drawn {
  /** Before the first line. */
  readonly first: string;
  /** The joining and parting of lanes, before the second line or on its own line; undefined if there is none. */
  readonly joint: string | undefined;
  /** Before all other lines. */
  readonly rest: string;
}

/** The lanes of a history. Rows come newest first. */
export class Graph {
  /** The id at the lower end of each lane; undefined for a free lane. */
  readonly #lanes: (string | undefined)[] = [];
  /** The lane that leads to each id. */
  readonly #laneOf = new Map<string, number>();
  /** No lane before this one is free. */
  #full = 0;
  /** The ids of the rows so far. A lane to one of these, which needs a forged cycle, would never end. */
  readonly #seen = new Set<string>();
  /** Lines with only the graph, before the next row. */
  readonly #waiting: string[] = [];
  readonly #most: number;

  /** @param width the characters of a line; undefined if lines have no end */
  constructor(width: number | undefined) {
    this.#most = width === undefined ? MOST : Math.max(1, Math.min(MOST, ((width - TEXT) / LANE) | 0));
  }

  /**
   * The lines of a row after the graph. `textOf` makes the text, and gets the number of characters that the graph
   * takes.
   */
  async lines(row: Linked, textOf: (taken: number) => Promise<readonly string[]>): Promise<string[]> {
    const { first, joint, rest } = this.#draw(row);
    const room = Math.max(first.length, joint?.length ?? 0, rest.length) + 1;
    const texts = await textOf(room);
    const starts = joint === undefined ? [first] : [first, joint];
    const lines = Array.from({ length: Math.max(starts.length, texts.length) }, (_, at) =>
      `${(starts[at] ?? rest).padEnd(room)}${texts[at] ?? ""}`.trimEnd(),
    );
    return [...this.#waiting.splice(0), ...lines];
  }

  /** Skips a hidden row: its lane continues to its parents. */
  skip({ id, parents }: Linked): void {
    const place = this.#laneOf.get(id);
    if (place === undefined) return;
    const joint = this.#leave(place, parents);
    if (joint !== undefined) this.#waiting.push(joint);
  }

  #draw({ id, parents }: Linked): Drawn {
    const place = this.#laneOf.get(id) ?? this.#free();
    this.#lead(place, id);
    this.#seen.add(id);
    const first = this.#row((lane) => (lane === place ? "*" : this.#lanes[lane] === undefined ? " " : "│"));
    const joint = this.#leave(place, parents);
    return { first, joint, rest: this.#row((lane) => (this.#lanes[lane] === undefined ? " " : "│")) };
  }

  /** Leaves the row of a lane, and returns the line on which lanes join and part, if they do. */
  #leave(place: number, parents: readonly string[]): string | undefined {
    const before = this.#lanes.map((lane) => lane !== undefined);
    const ends = this.#follow(place, parents);
    ends.delete(place);
    return ends.size === 0 ? undefined : this.#joint(place, ends, before);
  }

  /** Lets a lane continue to the parents of its row, and returns the lanes that join it there or part from it. */
  #follow(place: number, parents: readonly string[]): Set<number> {
    const ends = new Set<number>();
    this.#release(place);
    for (const parent of parents) {
      if (this.#seen.has(parent)) continue;
      const known = this.#laneOf.get(parent);
      const isFree = this.#lanes[place] === undefined;
      if (known !== undefined) ends.add(known);
      // A lane continues to the first parent without a lane further left.
      if (isFree && (known === undefined || known > place)) {
        if (known !== undefined) this.#release(known);
        this.#lead(place, parent);
      } else if (known === undefined) {
        const free = this.#free();
        this.#lead(free, parent);
        ends.add(free);
      }
    }
    while (this.#lanes.length > 0 && this.#lanes.at(-1) === undefined) this.#lanes.pop();
    return ends;
  }

  /** The first lane that leads nowhere. */
  #free(): number {
    const free = this.#lanes.indexOf(undefined, this.#full);
    this.#full = free < 0 ? this.#lanes.length : free;
    return this.#full;
  }

  /** Lets a lane lead to a row. */
  #lead(lane: number, id: string): void {
    this.#lanes[lane] = id;
    this.#laneOf.set(id, lane);
  }

  /** Lets a lane lead nowhere. */
  #release(lane: number): void {
    const id = this.#lanes[lane];
    if (id !== undefined) this.#laneOf.delete(id);
    this.#lanes[lane] = undefined;
    this.#full = Math.min(this.#full, lane);
  }

  /** The line on which a lane joins others or parts from them. */
  #joint(place: number, ends: ReadonlySet<number>, before: readonly boolean[]): string {
    let [from, to] = [place, place];
    for (const end of ends) [from, to] = [Math.min(from, end), Math.max(to, end)];
    return this.#row(
      (lane) => {
        const [up, down] = [before[lane] === true, this.#lanes[lane] !== undefined];
        const isEnd = lane === place || ends.has(lane);
        const corner = cornerOf(up, down, isEnd && lane > from, isEnd && lane < to);
        return corner === " " && lane > from && lane < to ? "─" : corner;
      },
      (lane) => (lane >= from && lane < to ? "─" : " "),
    );
  }

  /** A row of characters: one for each lane, and one between neighbouring lanes. */
  #row(charOf: (lane: number) => string, between: (lane: number) => string = () => " "): string {
    const lanes = Math.max(this.#lanes.length, this.#last(charOf));
    const drawn = Math.min(lanes, this.#most);
    let text = "";
    for (let lane = 0; lane < drawn; lane++) text += charOf(lane) + between(lane);
    if (drawn === lanes) return text.trimEnd();
    // Lanes without space share one place, which shows the mark of any of them.
    const hidden = Array.from({ length: lanes - drawn }, (_, at) => charOf(drawn + at));
    return `${text}${hidden.includes("*") ? "*" : "…"}`;
  }

  /** The number of lanes up to the last one that has a character. */
  #last(charOf: (lane: number) => string): number {
    let last = this.#lanes.length;
    while (charOf(last) !== " ") last++;
    return last;
  }
}

/** The character for lines up, down, left and right; none if there are no lines. */
function cornerOf(up: boolean, down: boolean, left: boolean, right: boolean): string {
  return " ╷╵│╴╮╯┤╶╭╰├─┬┴┼"[(up ? 2 : 0) + (down ? 1 : 0) + (left ? 4 : 0) + (right ? 8 : 0)] as string;
}

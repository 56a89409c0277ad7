/** The places of rows in a long list of equally high rows. */

/** The greatest height of an element in browsers, in pixels. Longer lists scroll in proportion. */
export const MOST_PIXELS = 12_000_000;
/** The fewest rows that are drawn beyond the rows in sight, at each end. */
const BEYOND = 4;
/** The drawn rows change by this number at a time, so most frames of a scroll change none. */
const BLOCK = 4;

/** A list, and how far it is scrolled. */
export interface ScrolledList {
  readonly length: number;
  readonly rowHeight: number;
  /** Pixels of the visible part. */
  readonly room: number;
  /** Pixels that the element is scrolled. */
  readonly scrolled: number;
  /** The first row in sight, if it is known: a pixel may stand for many rows. */
  readonly exactTop?: number | undefined;
}

/** The rows that are drawn. */
export interface RowPlaces {
  /** The number of the first row that is drawn. */
  readonly first: number;
  /** The number of drawn rows. */
  readonly count: number;
  /** The first row in sight, and how many whole ones. */
  readonly top: number;
  readonly visible: number;
  /** Pixels of space above the drawn rows and below them. */
  readonly above: number;
  readonly below: number;
  /** Pixels of the whole list. */
  readonly height: number;
  /** Pixels of the list for each pixel of scrolling: 1 except for very long lists. */
  readonly scale: number;
}

/** Places the rows of a list. */
export function rowPlaces({ length, rowHeight, room, scrolled, exactTop }: ScrolledList): RowPlaces {
  const visible = Math.floor(room / rowHeight);
  const all = length * rowHeight;
  const drawn = Math.min(all, MOST_PIXELS);
  const scale = all > drawn && drawn > room ? (all - room) / (drawn - room) : 1;
  const last = Math.max(0, length - visible);
  const top = Math.min(Math.max(0, exactTop ?? Math.floor((scrolled * scale) / rowHeight)), last);
  const first = Math.floor(Math.max(0, top - BEYOND) / BLOCK) * BLOCK;
  const end = Math.ceil((top + visible + 1 + BEYOND) / BLOCK) * BLOCK;
  const count = Math.max(0, Math.min(length, end) - first);
  const ofRows = count * rowHeight;
  const wanted = scale === 1 ? first * rowHeight : scrolled - (top - first) * rowHeight;
  const above = Math.min(Math.max(0, wanted), Math.max(0, drawn - ofRows));
  const below = Math.max(0, drawn - above - ofRows);
  return { first, count, top, visible, above, below, height: drawn, scale };
}

/** Text from a database: characters that are invisible or act on a page are shown as escapes. */
import { beginning, size, visible, visibleParts } from "merostore/internal";

/** The most characters of one text that a page shows: a name may be a megabyte. */
const MOST = 2_000;

const BREAK = { text: "\n", isEscape: false };

/** Text from a database, marked where characters are escaped. With `lines`, line breaks are breaks. */
export function Text({
  value,
  most = MOST,
  lines = false,
}: {
  value: string;
  most?: number;
  lines?: boolean;
}) {
  const shown = beginning(value, most);
  const parts = lines
    ? shown.split("\n").flatMap((line, at) => [...(at > 0 ? [BREAK] : []), ...visibleParts(line)])
    : visibleParts(shown);
  return (
    <>
      {parts.map(({ text, isEscape }) => (isEscape ? <span class="esc">{text}</span> : text))}
      {value.length > most && <span class="quiet"> … {count(value.length)} characters</span>}
    </>
  );
}

/** Text from a database for attributes, titles and commands. */
export function plainText(value: string, most = MOST): string {
  const shown = visible(beginning(value, most));
  return value.length > most ? `${shown}…` : shown;
}

const NUMBERS = new Intl.NumberFormat("en-US");

/** A number with separators. */
export function count(value: number | bigint): string {
  return NUMBERS.format(value);
}

/** A number with its noun: `1 row`, `1,011 rows`. */
export function counted(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

/** A number of bytes, short enough for columns, with the exact number as its title. */
export function ByteCount({ of }: { of: number }) {
  const short =
    of < 1_000 || of >= 10_000 ? size(of).replace(/ bytes?$/, " B") : `${(of / 1_000).toFixed(1)} kB`;
  return <span title={counted(of, "byte")}>{short}</span>;
}

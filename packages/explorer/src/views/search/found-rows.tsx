/** The rows that were found, by kind, rare kinds first. */

import { useState } from "preact/hooks";
import { rowsAddress } from "../../page/addresses.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Kind } from "../../parts/marks.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import type { Found } from "./use-search.js";

type FoundKind = Found["kinds"][number];
type FoundRow = FoundKind["rows"][number];
type FoundPlace = FoundRow["places"][number];

/** Rows of a kind that are shown at first. */
const FIRST = 3;

export function FoundRows({ kinds, match }: { kinds: readonly FoundKind[]; match: Found["match"] }) {
  return (
    <section class="panel" aria-label="Rows that have it">
      <div class="scroll">
        <table class="tbl found" onKeyDown={(event) => moveByArrows(event, "a.hit")}>
          <colgroup>
            <col class="row" />
            <col />
            <col class="in" />
          </colgroup>
          <thead>
            <tr>
              <th>Row</th>
              <th>Where</th>
              <th class="num hide-s">Found in</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <KindRows key={kind.kind} found={kind} id={match?.id} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** `id` is the searched text if it is one id. */
function KindRows({ found, id }: { found: FoundKind; id: string | undefined }) {
  const [all, setAll] = useState(false);
  const { kind, known, column, count: number, rows } = found;
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <>
      <tr class="group" id={`kind-${kind}`}>
        <td colSpan={3}>
          <Kind kind={known ?? ""}>
            <b>{known ?? <Text value={`unknown, of ${column}`} most={60} />}</b>
          </Kind>{" "}
          <span class="num">{count(number)}</span>
        </td>
      </tr>
      {shown.map((row) => (
        <Row key={row.key} kind={kind} row={row} />
      ))}
      {number > shown.length && (
        <tr>
          <td colSpan={3}>
            {all || rows.length <= FIRST ? (
              <MoreRows found={found} id={id} left={number - shown.length} />
            ) : (
              <button type="button" class="btn plain small" onClick={() => setAll(true)}>
                Show {count(Math.min(number, rows.length) - FIRST)} of {count(number - FIRST)} more
              </button>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

/** A link to all rows. If the id is the first part of all their keys, the rows that begin with it. */
function MoreRows({
  found: { kind, rows },
  id,
  left,
}: {
  found: FoundKind;
  id: string | undefined;
  left: number;
}) {
  const [first] = rows[0]?.parts ?? [];
  const isFirst = id !== undefined && rows.every(({ parts }) => parts[0]?.[1].id === id);
  if (isFirst && first !== undefined)
    return (
      <a href={rowsAddress(kind, { [first[0]]: id })}>
        Show all rows of this kind that begin with it: {count(left)} more
      </a>
    );
  return <a href={rowsAddress(kind)}>{count(left)} more are among all rows of this kind</a>;
}

function Row({ kind, row }: { kind: string; row: FoundRow }) {
  const places = placesByExcerpt(row.places.filter((one) => one.in === "value"));
  const inKey = new Set(row.places.filter((one) => one.in === "key").map(({ path }) => path));
  return (
    <tr>
      <td class="nowrap">
        <a class="hit" href={rowsAddress(kind, {}, row.key)}>
          {row.parts.map(([name, cell]) => (
            <span key={name} class="part">
              <span class="quiet">{name}</span>{" "}
              {inKey.has(name) ? <mark>{shortOf(cell)}</mark> : shortOf(cell)}
            </span>
          ))}
          {row.parts.length === 0 && <code>{row.key.slice(0, 16)}</code>}
        </a>
      </td>
      <td class="wide cut">
        {places.map(({ excerpt, paths }) => (
          <span key={paths[0]} class="part">
            <span class="quiet">
              <Text value={paths[0] ?? ""} most={60} />
            </span>{" "}
            <code>
              <Text value={excerpt.before} />
              <mark>
                <Text value={excerpt.marked} />
              </mark>
              <Text value={excerpt.after} />
            </code>
            {paths.length > 1 && (
              <span class="quiet" title={plainText(paths.join("\n"), 400)}>
                {" "}
                and {counted(paths.length - 1, "more place")}
              </span>
            )}
          </span>
        ))}
      </td>
      <td class="num hide-s quiet">{row.in}</td>
    </tr>
  );
}

function shortOf(cell: FoundRow["parts"][number][1]) {
  if (cell.id === undefined) return <Text value={cell.text} most={60} />;
  return (
    <>
      {cell.thing?.name !== undefined && (
        <>
          <Text value={cell.thing.name} most={40} />{" "}
        </>
      )}
      <code>{cell.id.slice(0, SHOWN_DIGITS)}</code>
    </>
  );
}

/** Characters around a find. */
const AROUND = 24;
/** The most characters of a find. A whole id is shown with the usual number of digits. */
const MOST_FOUND = 16;
const ID_DIGITS = 64;

interface Excerpt {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

function excerptOf({ text, at, length }: FoundPlace): Excerpt {
  const begin = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + length + AROUND);
  const before = (begin > 0 ? "…" : "") + text.slice(begin, at);
  if (length > MOST_FOUND) {
    const shown = length === ID_DIGITS ? SHOWN_DIGITS : MOST_FOUND;
    return { before, marked: `${text.slice(at, at + shown)}…`, after: "" };
  }
  const after = text.slice(at + length, end) + (end < text.length ? "…" : "");
  return { before, marked: text.slice(at, at + length), after };
}

/** The finds in a row, each once, with all their places. */
function placesByExcerpt(places: readonly FoundPlace[]): readonly { excerpt: Excerpt; paths: string[] }[] {
  const found = new Map<string, { excerpt: Excerpt; paths: string[] }>();
  for (const place of places) {
    const excerpt = excerptOf(place);
    const key = JSON.stringify(excerpt);
    const same = found.get(key) ?? { excerpt, paths: [] };
    same.paths.push(place.path);
    found.set(key, same);
  }
  return [...found.values()];
}

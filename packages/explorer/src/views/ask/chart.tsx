/** A picture of an answer's numbers: bars or a line. The table below it has every number. */
import { go, place } from "../../page/address.js";
import { useAnswer } from "../../page/use-answer.js";
import type { SqlRows } from "../../page/worker-client.js";
import { count, plainText, Text } from "../../parts/text.js";
import { axesOf, type ChartData, type Coloured, chartOf, coloured, numberColumns } from "./chart-data.js";
import { answerAddress } from "./options.js";

/** Pixels: the height of the picture, and the room above and below the bars. */
const [HEIGHT, ABOVE, BELOW] = [174, 24, 24];
/** Characters of all labels that stand side by side, on wide, middle and narrow pages. */
const [WIDE, MIDDLE, NARROW] = [110, 70, 46];
/** The fewest places that share the width, so that a single bar does not fill it. */
const LEAST_PLACES = 8;
/** Characters of a label. */
const MOST_CHARACTERS = 14;

/** The picture with the choice of its columns. */
export function Chart({ answer, form }: { answer: SqlRows; form: "bars" | "line" }) {
  const { across, up, colour } = place.value.options;
  const people = useAnswer("colourTexts").answer ?? {};
  const axes = axesOf(answer, { across, up, colour });
  if (axes === undefined)
    return <p class="panel-body quiet">A picture needs a column with numbers beside another column.</p>;
  const data = coloured(chartOf(answer, axes), people);
  const names = answer.columns.map(({ name }) => name);
  const nameOf = (at: number | undefined): string => (at === undefined ? "" : (names[at] ?? ""));
  return (
    <div class="panel-body">
      <div class="chart-head">
        <span class="axis">
          <Pick words="across" option="across" names={names} chosen={nameOf(axes.across)} />
          <Pick
            words="up"
            option="up"
            names={numberColumns(answer).map((at) => nameOf(at))}
            chosen={nameOf(axes.up)}
          />
          <Pick words="colour" option="colour" names={["", ...names]} chosen={nameOf(axes.colour)} />
        </span>
        <span class="legend">
          {data.groups.map((group, at) => (
            <span key={group} class={`author au-${data.colours[at]}`}>
              <Text value={group} most={40} />
            </span>
          ))}
        </span>
      </div>
      <svg
        class="chart"
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={`${nameOf(axes.up)} by ${nameOf(axes.across)}; the table below has every number`}
      >
        <line x1="0" x2="100%" y1={HEIGHT - BELOW + 0.5} y2={HEIGHT - BELOW + 0.5} />
        {form === "bars" ? <Bars data={data} /> : <Lines data={data} />}
        <Labels data={data} hasSums={form === "bars" || data.groups.length < 2} />
      </svg>
      {data.left > 0 && (
        <p class="quiet">
          The first {count(data.stacks.length)} places are drawn, {count(data.left)} are not.
        </p>
      )}
    </div>
  );
}

function Pick({
  words,
  option,
  names,
  chosen,
}: {
  words: string;
  option: string;
  names: readonly string[];
  chosen: string;
}) {
  return (
    <label>
      {words}{" "}
      <select
        value={chosen}
        onChange={({ currentTarget }) =>
          go(answerAddress({ [option]: currentTarget.value }), { replace: true })
        }
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name === "" ? "none" : plainText(name, 40)}
          </option>
        ))}
      </select>
    </label>
  );
}

const heightOf = (value: number, highest: number): number =>
  highest === 0 ? 0 : (Math.max(0, value) / highest) * (HEIGHT - ABOVE - BELOW);

interface Places {
  /** The places that share the width; some at the end may be free. */
  readonly all: number;
  /** Percent of the width that a place has. */
  readonly width: number;
  /** Characters of all labels that stand side by side. */
  readonly room: number;
  /** Places from one label to the next. */
  readonly every: number;
}

function placesOf(stacks: ChartData["stacks"]): Places {
  const room = innerWidth < 640 ? NARROW : innerWidth < 1200 ? MIDDLE : WIDE;
  const longest = Math.max(...stacks.map(({ label }) => Math.min(label.length, MOST_CHARACTERS)), 1);
  const most = Math.max(1, Math.floor(room / (longest + 2)));
  const all = Math.max(stacks.length, Math.min(LEAST_PLACES, most));
  return { all, width: 100 / all, room, every: Math.ceil(stacks.length / most) };
}

function Bars({ data: { stacks, highest, colours } }: { data: Coloured }) {
  const { width } = placesOf(stacks);
  return (
    <>
      {stacks.map(({ label, parts }, at) => {
        let below = 0;
        return parts.map(({ group, value }) => {
          const height = heightOf(value, highest);
          below += height;
          return (
            <rect
              key={`${label} ${group}`}
              class={`au-${colours[group]}`}
              x={`${(at + 0.1) * width}%`}
              y={HEIGHT - BELOW - below}
              width={`${0.8 * width}%`}
              height={height}
            >
              <title>{`${plainText(label, 60)}: ${count(value)}`}</title>
            </rect>
          );
        });
      })}
    </>
  );
}

/** One line for each group, in pieces from each place to the next: a path cannot use percents of a width. */
function Lines({ data: { stacks, groups, highest, colours } }: { data: Coloured }) {
  const { width } = placesOf(stacks);
  return (
    <>
      {groups.map((name, group) => {
        const places = stacks.flatMap(({ label, parts }, at) => {
          const value = parts.find((part) => part.group === group)?.value;
          if (value === undefined) return [];
          return [
            { label, value, x: `${(at + 0.5) * width}%`, y: HEIGHT - BELOW - heightOf(value, highest) },
          ];
        });
        return (
          <g key={name} class={`au-${colours[group]}`}>
            {places.map(({ label, value, x, y }, at) => (
              <g key={label}>
                {at > 0 && <line class="piece" x1={places[at - 1]?.x} y1={places[at - 1]?.y} x2={x} y2={y} />}
                <circle cx={x} cy={y} r="3">
                  <title>{`${plainText(label, 60)}: ${count(value)}`}</title>
                </circle>
              </g>
            ))}
          </g>
        );
      })}
    </>
  );
}

function Labels({ data: { stacks, highest }, hasSums }: { data: ChartData; hasSums: boolean }) {
  const { all, width, room, every } = placesOf(stacks);
  /** The middle of the bar. A label at an end that is wider than its bar begins or ends with the picture. */
  const placeOf = (at: number, label: string) => {
    const isWide = Math.min(label.length, MOST_CHARACTERS) > room / all;
    if (isWide && at === 0) return { x: "0", y: HEIGHT - 6, "text-anchor": "start" } as const;
    if (isWide && at === all - 1) return { x: "100%", y: HEIGHT - 6, "text-anchor": "end" } as const;
    return { x: `${(at + 0.5) * width}%`, y: HEIGHT - 6, "text-anchor": "middle" } as const;
  };
  return (
    <>
      {stacks.map(
        ({ label, total }, at) =>
          at % every === 0 && (
            <g key={label}>
              {hasSums && (
                <text
                  class="v"
                  x={`${(at + 0.5) * width}%`}
                  y={HEIGHT - BELOW - heightOf(total, highest) - 6}
                  text-anchor="middle"
                >
                  {count(total)}
                </text>
              )}
              <text {...placeOf(at, label)}>{plainText(label, MOST_CHARACTERS)}</text>
            </g>
          ),
      )}
    </>
  );
}

/** Both databases, and the figures of their comparison. */
import { useEffect } from "preact/hooks";
import { go } from "../../page/address.js";
import { pairInAddress } from "../../page/fleet.js";
import { isWriting, lettersAct } from "../../page/letters.js";
import { close, databases, swap } from "../../page/session.js";
import type { Compared, OpenedDatabase } from "../../page/worker-client.js";
import { Icon } from "../../parts/icon.js";
import { Tag } from "../../parts/marks.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { compareAddress, thingOfAddress } from "./options.js";
import { differingRows } from "./totals.js";

/** Both databases. */
export function BothDatabases({ compared }: { compared: Compared | undefined }) {
  const { a, b } = databases.value;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "x" || !lettersAct.value || isWriting(event.target) || event.defaultPrevented) return;
      if (!event.ctrlKey && !event.metaKey && !event.altKey) void swapSides();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <div class="cols two">
      {a && <Side side="a" opened={a} rows={compared?.rowsOfA} />}
      {b && <Side side="b" opened={b} rows={compared?.rowsOfB} />}
    </div>
  );
}

async function swapSides(): Promise<void> {
  await swap();
  go(compareAddress(thingOfAddress(), { ...pairInAddress(), row: undefined }), { replace: true });
}

function Side({ side, opened, rows }: { side: "a" | "b"; opened: OpenedDatabase; rows: number | undefined }) {
  const { name, location, revision, warnings } = opened;
  return (
    <section class={`panel sidecard ${side}`} aria-label={`Database ${side.toUpperCase()}`}>
      <div class="panel-body">
        <div class="rowflex">
          <Tag look={side}>{side.toUpperCase()}</Tag>
          <b>
            <Text value={name} most={60} />
          </b>
          <span class="second nowrap">
            {revision}
            {rows !== undefined && `, ${counted(rows, "row")}`}
          </span>
          <span class="quiet place-of hide-s" title={plainText(location, 400)}>
            <Text value={location} most={120} />
          </span>
          {side === "a" ? (
            <button
              type="button"
              class="copy last"
              aria-label="Swap A and B"
              title="Swap A and B (x)"
              onClick={() => void swapSides()}
            >
              <Icon name="swap" />
            </button>
          ) : (
            <button
              type="button"
              class="copy last"
              aria-label={`Close ${plainText(name, 60)}`}
              onClick={() => {
                go(compareAddress(thingOfAddress(), { with: undefined }), { replace: true });
                void close("b");
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        {warnings.map((message) => (
          <p class="second" key={message}>
            <Text value={message} />
          </p>
        ))}
      </div>
    </section>
  );
}

/** The figures. Expected differences do not count if they are hidden. */
export function Figures({ compared, leavesOut }: { compared: Compared; leavesOut: boolean }) {
  const { rows, expected, kinds, rowsOfA } = compared;
  const sum = (of: keyof typeof rows): number =>
    kinds.reduce((total, kind) => total + kind.unexpected[of] + (leavesOut ? 0 : kind.expected[of]), 0);
  return (
    <dl class="facts inline">
      <div>
        <dt>only on A</dt>
        <dd>{count(sum("onlyInA"))}</dd>
      </div>
      <div>
        <dt>only on B</dt>
        <dd>{count(sum("onlyInB"))}</dd>
      </div>
      <div>
        <dt>on both, different</dt>
        <dd>{count(sum("different"))}</dd>
      </div>
      <div>
        <dt>the same</dt>
        <dd>{count(rowsOfA - rows.onlyInA - rows.different)}</dd>
      </div>
      <div>
        <dt>{leavesOut ? "expected, left out" : "expected differences"}</dt>
        <dd>
          {count(expected)} <small>of {count(differingRows(rows))}</small>
        </dd>
      </div>
    </dl>
  );
}

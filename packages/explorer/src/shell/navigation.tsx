/** The database, the views with their counts, and switches. */
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addressOf, place } from "../page/address.js";
import { followed, following } from "../page/live.js";
import { countedRows } from "../page/row-counts.js";
import { database, nodes, secretsRevealed } from "../page/session.js";
import { useAnswer } from "../page/use-answer.js";
import { verification } from "../page/verification.js";
import { count, Text } from "../parts/text.js";
import { helpShown } from "./keyboard.js";
import { askToReveal } from "./reveal-secrets.js";
import { type ViewName, views } from "./views.js";

/** The column at the left; a row of tabs on narrow pages. */
export function Navigation() {
  const opened = database.value;
  const current = place.value.view;
  const counts = useCounts();
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => keepInSight(tabs.current), [current, Object.keys(counts).length]);
  return (
    <aside class="side">
      <a class="db" href={addressOf("open")} title="Open another database">
        <b>
          <Text value={opened?.name ?? ""} most={60} />
        </b>
        <span>
          <Text value={opened?.location ?? ""} most={80} />
        </span>
      </a>
      <nav class="nav" aria-label="Views" ref={tabs}>
        {views.map(({ name, words, hasGap }) => (
          <Fragment key={name}>
            {hasGap && <span class="gap" />}
            <a href={addressOf(name)} aria-current={name === current ? "page" : undefined}>
              {words}
              {name === "live" ? <Following /> : <Count of={counts[name]} />}
            </a>
          </Fragment>
        ))}
      </nav>
      <div class="side-foot">
        <div class="rowflex">
          <span id="reveal-words">Reveal secrets</span>
          <button
            type="button"
            class={`switch ${secretsRevealed.value ? "on" : ""}`}
            role="switch"
            aria-checked={secretsRevealed.value}
            aria-labelledby="reveal-words"
            onClick={askToReveal}
          />
        </div>
        <div class="rowflex">
          <span>Keyboard</span>
          <button
            type="button"
            class="keyhelp"
            aria-label="Show the keys"
            onClick={() => {
              helpShown.value = true;
            }}
          >
            <kbd>?</kbd>
          </button>
        </div>
      </div>
    </aside>
  );
}

/** The number beside each view, if it is known. */
function useCounts(): Readonly<Partial<Record<ViewName, number>>> {
  const { answer } = useAnswer("counts");
  const { rows, state } = countedRows.value;
  const { counts, ...checks } = verification.value;
  const found = counts.errors + counts.warnings + counts.infos;
  return {
    ...answer,
    ...(state === "counted" && { rows }),
    ...(nodes.value.length > 1 && { fleet: nodes.value.length }),
    ...((checks.state === "done" || found > 0) && { checks: found }),
  };
}

function Count({ of }: { of: number | undefined }) {
  return of === undefined ? null : <span class="n">{count(of)}</span>;
}

function Following() {
  return <span class="n">{following.value ? `+${count(followed.value.count)}` : "off"}</span>;
}

/**
 * Keeps the current tab in sight on narrow pages, also after the page became narrow. Returns a function that ends it.
 */
function keepInSight(tabs: HTMLElement | null): (() => void) | undefined {
  const tab = tabs?.querySelector<HTMLElement>("[aria-current]");
  if (!tabs || !tab) return undefined;
  const observer = new ResizeObserver(() => {
    tabs.scrollLeft = tab.offsetLeft - tabs.clientWidth / 2 + tab.offsetWidth / 2;
  });
  observer.observe(tabs);
  return () => observer.disconnect();
}

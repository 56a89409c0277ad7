/** The view Live: the present writes of the node. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../../page/address.js";
import { commandLine } from "../../page/command-line.js";
import { isWriting, lettersAct } from "../../page/letters.js";
import {
  type Followed,
  followed,
  following,
  startFollowing,
  stopFollowing,
  toldIdOf,
  toldRows,
} from "../../page/live.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { uncheckedRows, verification, verifyNow } from "../../page/verification.js";
import { Copy } from "../../parts/copy.js";
import { FilterField } from "../../parts/filter-field.js";
import { Icon } from "../../parts/icon.js";
import { Tag } from "../../parts/marks.js";
import { Empty } from "../../parts/states.js";
import { count, counted } from "../../parts/text.js";
import { utcDate, utcToSecond } from "../../parts/time.js";
import { Panel, View } from "../../parts/view.js";
import { wordsText } from "../../parts/words.js";
import { Feed, type Item } from "./feed.js";
import "./live.css";
import { Rate } from "./rate.js";

/** True if the list stands still while the database is followed. */
const paused = signal(false);

export function Live() {
  const opened = database.value;
  if (opened === undefined) return <View title="Live" />;
  const state = !opened.isLive ? "off" : !following.value ? "stopped" : paused.value ? "paused" : "following";
  return (
    <View
      title="Live"
      command={["watch", opened.location]}
      head={
        <>
          <h1>Live</h1>
          <Tag look={state === "following" ? "accent" : ""}>{state}</Tag>
        </>
      }
      answer={<Answer isLive={opened.isLive} rows={followed.value.count} />}
    >
      {opened.isLive ? <Followable /> : <NotLive location={opened.location} />}
    </View>
  );
}

function Answer({ isLive, rows }: { isLive: boolean; rows: number }) {
  if (!isLive) return <>This database is shown as it was when it was opened.</>;
  const unchecked = uncheckedRows.value;
  if (rows > 0)
    return (
      <>
        <b>{counted(rows, "row")}</b> written or deleted{" "}
        {following.value ? "since following began" : "while it was followed"}. All views show them.{" "}
        {unchecked > 0 && <b>Not checked yet: the last {counted(unchecked, "row")}.</b>}
      </>
    );
  if (following.value)
    return <>Nothing was written since following began. Changes appear here, and in every view.</>;
  return <>The database is not followed: the views show it as it was when it was read.</>;
}

function NotLive({ location }: { location: string }) {
  const command = commandLine(["explore", location]);
  return (
    <Empty heading="A picked folder cannot be followed.">
      <p>
        A browser reads the files of a folder as they were when it was picked. From a terminal the page
        follows a running node:
      </p>
      <div class="cmdline">
        <code>{command}</code>
        <Copy text={command} what="the command" />
      </div>
    </Empty>
  );
}

/** The kinds of items that can be left out, in the words of their buttons. */
const KINDS = [
  ["delta", "Data"],
  ["operation", "Groups"],
  ["row", "Other rows"],
] as const;
type ItemKind = (typeof KINDS)[number][0];

/** A delta or operation counts as one even before it is put into words. */
function kindOf({ told, row }: Item): ItemKind {
  return told?.of ?? toldIdOf(row)?.of ?? "row";
}

/** The day of the newest delta or operation; undefined if it is today. */
function dayOf(items: readonly Item[]): string | undefined {
  const time = items.flatMap(({ told }) => told?.before ?? told?.after ?? [])[0];
  const day = time === undefined ? undefined : utcDate(time);
  return day === utcDate(Date.now()) ? undefined : day;
}

/** A list that is scrolled by at least this many pixels does not move for new items. */
const READING = 80;

function Followable() {
  const [held, setHeld] = useState<{ readonly all: Followed; readonly isPaused: boolean }>();
  const [chosen, setChosen] = useState<ReadonlySet<ItemKind>>();
  const [filter, setFilter] = useState("");
  const all = followed.value;
  const pause = () => setHeld(held?.isPaused ? undefined : { all: held?.all ?? all, isPaused: true });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== " " || !lettersAct.value || isWriting(target) || event.defaultPrevented) return;
      if (target instanceof HTMLElement && target.closest("button, a, summary")) return;
      event.preventDefault();
      pause();
    };
    const scroll = () => {
      if (held?.isPaused) return;
      if (scrollY > READING && held === undefined) setHeld({ all: followed.value, isPaused: false });
      if (scrollY <= READING && held !== undefined) setHeld(undefined);
    };
    addEventListener("keydown", press);
    addEventListener("scroll", scroll, { passive: true });
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("scroll", scroll);
    };
  });
  useEffect(() => {
    paused.value = held?.isPaused === true;
    return () => {
      paused.value = false;
    };
  }, [held?.isPaused]);
  const { rows, count: number, isIncomplete } = held?.all ?? all;
  const items = rows.map(
    (row): Item => ({
      row,
      // A deleted or rewritten row is not a new delta.
      told: toldIdOf(row) && toldRows.value.get(row.key),
    }),
  );
  const counts = new Map<ItemKind, number>();
  for (const item of items) counts.set(kindOf(item), (counts.get(kindOf(item)) ?? 0) + 1);
  // Beside deltas and operations, the rows that they consist of say little.
  const isInWords = counts.has("delta") || counts.has("operation");
  const shown = chosen ?? new Set(KINDS.flatMap(([kind]) => (kind === "row" && isInWords ? [] : [kind])));
  const toggle = (kind: ItemKind) => {
    const changed = new Set(shown);
    if (!changed.delete(kind)) changed.add(kind);
    setChosen(changed);
  };
  const listed = items.filter((item) => shown.has(kindOf(item)) && passes(item, filter));
  const newer = all.count - number;
  const day = dayOf(items);
  return (
    <>
      <section class="panel" aria-label="Rate">
        <div class="live-bar">
          <button type="button" class="btn" onClick={following.value ? stopFollowing : startFollowing}>
            {following.value ? "Stop following" : "Follow the database"}
          </button>
          {following.value && (
            <button type="button" class="btn" onClick={pause} aria-pressed={held?.isPaused === true}>
              <Icon name={held?.isPaused ? "play" : "pause"} />
              {held?.isPaused ? "Go on" : "Pause"}
            </button>
          )}
          {all.count > 0 && (
            <>
              <span class="grow" />
              <fieldset class="rowflex">
                <legend class="sr">Kinds of changes</legend>
                {KINDS.map(([kind, words]) => (
                  <button
                    key={kind}
                    type="button"
                    class="btn small"
                    aria-pressed={shown.has(kind)}
                    onClick={() => toggle(kind)}
                  >
                    {words} <span class="quiet">{count(counts.get(kind) ?? 0)}</span>
                  </button>
                ))}
              </fieldset>
              <FilterField
                label="Filter the changes"
                placeholder="Filter"
                value={filter}
                onChange={setFilter}
              />
            </>
          )}
        </div>
        {all.count > 0 && <Rate arrivals={all.arrivals} isRunning={following.value} />}
      </section>
      {all.count === 0 && following.value && <NothingYet />}
      {number > 0 && (
        <Panel
          title="Changes, newest first"
          remark={
            <span aria-live="polite">
              {day !== undefined && `made on ${day}, `}
              {items.length < number
                ? `the last ${count(items.length)} of ${counted(number, "row")}`
                : counted(number, "row")}
            </span>
          }
          foot={
            isIncomplete
              ? "The node deleted a log before this page read it, so some rows are not listed."
              : undefined
          }
        >
          {newer > 0 && held !== undefined && (
            <p class="newer">
              <button
                type="button"
                class="btn small"
                onClick={() => {
                  setHeld(undefined);
                  scrollTo({ top: 0 });
                }}
              >
                {counted(newer, "newer row")}
              </button>
            </p>
          )}
          <Feed items={listed} checked={checkedLine()} />
          {listed.length === 0 && <p class="panel-body quiet">No change passes the filter.</p>}
        </Panel>
      )}
    </>
  );
}

/** The placeholder of the list before the first change. */
function NothingYet() {
  const changedAt = useAnswer("overview").answer?.changedAt;
  return (
    <Empty heading="The node has written nothing yet.">
      <p>
        {changedAt !== undefined && (
          <>
            The newest change is of <b>{utcToSecond(changedAt)} UTC</b>.{" "}
          </>
        )}
        When a running node writes, each change appears here in words, with the value before and after. A node
        that stands still writes nothing.
      </p>
      <p class="btns">
        <a class="btn" href={addressOf("history")}>
          Show the newest changes
        </a>
      </p>
    </Empty>
  );
}

function passes({ row, told }: Item, filter: string): boolean {
  if (filter === "") return true;
  const words =
    told === undefined
      ? [row.kind ?? row.column, ...row.parts.flat()]
      : [
          wordsText([...told.words, " ", told.where, " ", ...(told.author ? [told.author] : [])]),
          ...told.changes.map(({ name, before, after }) => `${name} ${before ?? ""} ${after ?? ""}`),
          told.id,
        ];
  return words.join(" ").toLowerCase().includes(filter.toLowerCase());
}

/** The line between the checked rows and newer rows. */
function checkedLine() {
  const { state, began, counts } = verification.value;
  const unchecked = uncheckedRows.value;
  if (state !== "done") return undefined;
  const found = counts.errors === 0 ? "no error" : counted(counts.errors, "error");
  return {
    number: began,
    words: (
      <>
        <span class="grow">
          <b>Checked up to here</b>: {found}.{" "}
          {unchecked > 0 && `${counted(unchecked, "row")} above ${unchecked === 1 ? "is" : "are"} newer.`}
        </span>
        {unchecked > 0 && (
          <button type="button" class="btn small" onClick={() => void verifyNow()}>
            Check again
          </button>
        )}
      </>
    ),
  };
}

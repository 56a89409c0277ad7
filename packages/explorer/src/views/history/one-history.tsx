/** The history of a context, of a namespace, or a group's own log. */

import { graphId } from "merostore/node";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { closeTo, go } from "../../page/address.js";
import { groupAddress, historyAddress, searchAddress } from "../../page/addresses.js";
import { isWriting, lettersAct } from "../../page/letters.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { ask } from "../../page/worker-client.js";
import { CopiedId } from "../../parts/copied-id.js";
import { HEAD, type LookOf, PENDING } from "../../parts/graph/drawn-rows.js";
import { GraphList } from "../../parts/graph/graph-list.js";
import { useRowWords } from "../../parts/graph/rows-in-sight.js";
import { firstFollower, firstParent, rowOfId } from "../../parts/graph/steps.js";
import { Author, Tag } from "../../parts/marks.js";
import { Answered, Empty } from "../../parts/states.js";
import { plainText, Text } from "../../parts/text.js";
import { utcDate } from "../../parts/time.js";
import { useEscape } from "../../parts/use-escape.js";
import { hasSheet, View } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { HistoryShape } from "../../worker/history/history.js";
import type { HistoryOf } from "../../worker/history/rows.js";
import { ActivityStrip } from "./activity-strip.js";
import { Choose } from "./choose.js";
import { Detail } from "./detail.js";
import { FoldLine, RowLine } from "./lines.js";
import { Newest } from "./newest.js";
import { Summary } from "./summary.js";

/** A history. `at`: the id of the selected row. */
export function OneHistory({ of, id, at }: { of: HistoryOf; id: string; at: string | undefined }) {
  const asked = useAnswer("history", of, id);
  const shape = asked.answer;
  const thing = shape?.of;
  const name = thing?.name ?? id.slice(0, 8);
  const location = database.value?.location ?? "";
  const command = ["log", location, id, ...(of === "group" ? ["--own"] : []), "--graph"];
  return (
    <View
      title="History"
      class="history"
      crumbs={[
        ...(shape?.within ?? []).map((group) => ({
          words: group.name ?? group.id.slice(0, 8),
          address: groupAddress(group.id),
        })),
        { words: name, address: historyAddress(of, id) },
      ]}
      command={command}
      head={
        <>
          <h1>
            <Text value={name} most={80} />
          </h1>
          <CopiedId id={id} what={of === "context" ? "the context’s id" : "the group’s id"} quiet />
          <Tag>{tagOf(of, shape)}</Tag>
        </>
      }
      answer={shape && shape.size > 0 ? <Summary of={of} shape={shape} /> : undefined}
    >
      <div class="rowflex history-bar">
        {asked.answer ? <Choose of={of} id={id} /> : <span />}
        {shape && <Legend shape={shape} />}
      </div>
      {asked.state === "failed" && asked.error.code === "UNKNOWN_NAME" ? (
        <Unknown of={of} id={id} />
      ) : (
        <Answered asked={asked} what="Reading who follows whom." meanwhile={<Newest of={of} id={id} />}>
          {(answer) =>
            answer.size === 0 ? (
              <Empty
                heading={of === "context" ? "This context has no deltas." : "This log has no operations."}
              >
                <p>
                  {of === "context"
                    ? "Nothing has changed its data yet, or this node has not received the deltas."
                    : "This node has applied none, or keeps none."}
                </p>
              </Empty>
            ) : (
              <Body of={of} id={id} at={at} shape={answer} />
            )
          }
        </Answered>
      )}
    </View>
  );
}

function Unknown({ of, id }: { of: HistoryOf; id: string }) {
  return (
    <Empty heading={`No ${of} has this id.`}>
      <p>
        <code>
          <Text value={id} most={64} />
        </code>{" "}
        may be the id of something else: <a href={searchAddress(id)}>search for it</a>.
      </p>
    </Empty>
  );
}

function tagOf(of: HistoryOf, shape: HistoryShape | undefined): string {
  if (of === "namespace") return "namespace’s log";
  const above = shape?.within.at(-1);
  const within = above === undefined ? "" : ` of ${plainText(above.name ?? above.id.slice(0, 8), 40)}`;
  return of === "group" ? "group’s own log" : `context${within}`;
}

/** The authors and their colours; people beyond five share one. */
function Legend({ shape: { people } }: { shape: HistoryShape }) {
  const named = people.filter(({ colour, person }) => colour < 6 || person === undefined);
  const others = people.filter(({ colour, person }) => colour === 6 && person !== undefined).length;
  return (
    <div class="legend">
      {[...named]
        .sort((a, b) => a.colour - b.colour)
        .map(({ person, colour }) => (
          <Author key={person?.id ?? ""} author={colour}>
            <span class="author-name">{person === undefined ? "no author" : <Name of={person} />}</span>
          </Author>
        ))}
      {others > 0 && <Author author={6}>{others === 1 ? "another one" : `${others} others`}</Author>}
    </div>
  );
}

function Body({
  of,
  id,
  at,
  shape,
}: {
  of: HistoryOf;
  id: string;
  at: string | undefined;
  shape: HistoryShape;
}) {
  const selected = at === undefined ? undefined : rowOfId(shape, at);
  const wordsOf = useRowWords(`${of} ${id}`, shape.size, (from, to) =>
    ask("a", "historyRows", of, id, from, to),
  );
  const lookOf = useMemo(() => looksOf(shape), [shape]);
  const colourOf = (row: number): number => shape.colours[row] ?? 6;
  const [target, setTarget] = useState<{ readonly row: number } | undefined>(undefined);
  const detail = useRef<HTMLHeadingElement>(null);
  const activity = shape.activity;
  const hasDates = activity !== undefined && utcDate(activity.from) !== utcDate(activity.to);
  const select = (row: number, isStep: boolean): void =>
    go(historyAddress(of, id, graphId(shape, row)), { replace: isStep && selected !== undefined });
  const leave = (): boolean => {
    if (at === undefined) return false;
    closeTo(historyAddress(of, id));
    return true;
  };
  const goToTime = async (time: number): Promise<void> => {
    const row = await ask("a", "historyAt", of, id, time).catch(() => undefined);
    if (row !== undefined) setTarget({ row });
  };
  useEscape(leave);
  useEffect(() => {
    const row = hasSheet() ? document.querySelector(`.history-list [data-row="${selected}"]`) : null;
    row?.scrollIntoView({ block: "center" });
  }, [selected]);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (selected === undefined || !lettersAct.value || isWriting(event.target)) return;
      const row =
        event.key === "p"
          ? firstParent(shape, selected)
          : event.key === "c"
            ? firstFollower(shape, selected)
            : undefined;
      if (row === undefined) return;
      event.preventDefault();
      select(row, true);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
  return (
    <div class={`cols ${at === undefined ? "" : "his"}`}>
      <section class="panel" aria-label="Graph">
        {of === "context" && activity !== undefined && (
          <ActivityStrip activity={activity} goTo={(time) => void goToTime(time)} />
        )}
        <GraphList
          graph={shape}
          lookOf={lookOf}
          selected={selected}
          target={target}
          wordsOf={wordsOf}
          actions={{ select, enter: () => detail.current?.focus(), leave }}
          label="History, newest first"
          rowLine={(row) => (
            <RowLine
              key={row.row}
              {...row}
              hasDates={hasDates}
              colour={colourOf(row.row)}
              marks={shape.marks[row.row] ?? 0}
              isElsewhere={shape.elsewhere.includes(row.row)}
            />
          )}
          foldLine={(fold) => (
            <FoldLine
              key={`fold ${fold.fold.start}`}
              {...fold}
              hasDates={hasDates}
              colour={colourOf(fold.fold.start)}
            />
          )}
          hasAuthors={of === "context"}
        />
      </section>
      {at !== undefined && (
        <Detail of={of} id={id} at={at} row={selected} shape={shape} heading={detail} close={leave} />
      )}
    </div>
  );
}

/** The looks of the rows. */
function looksOf({ marks, colours }: HistoryShape): LookOf {
  return (row) => ({
    colour: `author-${colours[row] ?? 6}`,
    isHead: ((marks[row] as number) & HEAD) !== 0,
    isPending: ((marks[row] as number) & PENDING) !== 0,
  });
}

/** The histories of a context on both nodes in one graph. Rows that only one node has are in its colour. */

import { graphId } from "merostore/node";
import { useMemo } from "preact/hooks";
import { closeTo, go, place } from "../../page/address.js";
import { historyAddress } from "../../page/addresses.js";
import { databases } from "../../page/session.js";
import { useAnswerOfBoth } from "../../page/use-answer.js";
import { askBoth } from "../../page/worker-client.js";
import { HEAD, type LookOf, PENDING } from "../../parts/graph/drawn-rows.js";
import { GraphList, type PlacedFold, type PlacedRow } from "../../parts/graph/graph-list.js";
import { ListLine } from "../../parts/graph/list-line.js";
import { RowTime } from "../../parts/graph/row-time.js";
import { useRowWords } from "../../parts/graph/rows-in-sight.js";
import { rowOfId } from "../../parts/graph/steps.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Tag } from "../../parts/marks.js";
import { Answered } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { useEscape } from "../../parts/use-escape.js";
import { isThisNode, Name, Words, wordsText } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type { MergedHistory, MergedRow } from "../../worker/history/merged.js";
import { compareAddress } from "./options.js";

/** The sides that have a row. */
const [A, B, BOTH] = [1, 2, 3];

/** The panel. */
export function BothHistories({ context }: { context: Thing }) {
  const asked = useAnswerOfBoth("mergedHistory", context.id);
  return (
    <section class="panel" aria-labelledby="both-histories">
      <div class="panel-head">
        <h2 id="both-histories">
          Both histories of <Name of={{ kind: "context", ...context }} />
        </h2>
        {asked.answer && <Legend history={asked.answer} />}
      </div>
      <Answered asked={asked} what="Reading both histories.">
        {(history) =>
          history.size === 0 ? (
            <p class="panel-body">Neither has deltas of this context.</p>
          ) : (
            <Graph key={context.id} context={context} history={history} />
          )
        }
      </Answered>
    </section>
  );
}

function Legend({ history: { size, onlyInA, onlyInB, pendingOnA, pendingOnB } }: { history: MergedHistory }) {
  const both = size - onlyInA - onlyInB;
  return (
    <div class="legend">
      {both > 0 && <span class="lg both">{count(both)} on both</span>}
      {onlyInA > 0 && <span class="lg a">{count(onlyInA)} only on A</span>}
      {onlyInB > 0 && <span class="lg b">{count(onlyInB)} only on B</span>}
      {pendingOnA > 0 && <span class="lg pend">{count(pendingOnA)} pending on A</span>}
      {pendingOnB > 0 && <span class="lg pend">{count(pendingOnB)} pending on B</span>}
    </div>
  );
}

function Graph({ context, history }: { context: Thing; history: MergedHistory }) {
  const wordsOf = useRowWords(context.id, history.size, (from, to) =>
    askBoth("mergedRows", context.id, from, to),
  );
  const lookOf = useMemo(() => looksOf(history), [history]);
  const { row: wanted } = place.value.options;
  const selected = wanted === undefined ? undefined : rowOfId(history, wanted);
  const select = (row: number, isStep: boolean): void =>
    go(compareAddress({ of: "context", id: context.id }, { row: graphId(history, row) }), {
      replace: isStep && selected !== undefined,
    });
  const leave = (): boolean => {
    if (wanted === undefined) return false;
    closeTo(compareAddress({ of: "context", id: context.id }, { row: undefined }));
    return true;
  };
  useEscape(leave);
  /** A row of A opens in its history. */
  const enter = (): void => {
    if (selected !== undefined && history.sides[selected] !== B)
      go(historyAddress("context", context.id, graphId(history, selected)));
  };
  return (
    <>
      <GraphList<MergedRow>
        graph={history}
        lookOf={lookOf}
        selected={selected}
        target={undefined}
        wordsOf={wordsOf}
        actions={{ select, enter, leave }}
        label="Both histories, newest first"
        rowLine={(row) => <RowLine key={row.row} history={history} {...row} />}
        foldLine={(fold) => <FoldLine key={`fold ${fold.fold.start}`} history={history} {...fold} />}
        hasAuthors
      />
      {selected !== undefined && (
        <div class="panel-foot rowflex">
          <span>
            Delta <code title={graphId(history, selected)}>{graphId(history, selected).slice(0, 16)}</code>{" "}
            {whereIs(history, selected)}
          </span>
          {history.sides[selected] !== B && (
            <a class="btn small" href={historyAddress("context", context.id, graphId(history, selected))}>
              Show in the history of A
            </a>
          )}
        </div>
      )}
    </>
  );
}

/** The sides of a row, in words. */
function whereIs({ sides, marksA, marksB }: MergedHistory, row: number): string {
  const side = sides[row];
  if (side !== BOTH) return side === A ? "is only on A." : "is only on B.";
  const waits = [...(has(marksA, row, PENDING) ? ["A"] : []), ...(has(marksB, row, PENDING) ? ["B"] : [])];
  return waits.length === 0 ? "is on both." : `is on both, and pending on ${waits.join(" and ")}.`;
}

function has(marks: Uint8Array, row: number, mark: number): boolean {
  return ((marks[row] as number) & mark) !== 0;
}

/** The colours of the sides. */
function looksOf({ sides, marksA, marksB }: MergedHistory): LookOf {
  return (row) => {
    const side = sides[row] === A ? "a" : sides[row] === B ? "b" : undefined;
    return {
      colour: side === undefined ? "author-6" : `side-${side}`,
      isHead: has(marksA, row, HEAD) || has(marksB, row, HEAD),
      isPending: has(marksA, row, PENDING) || has(marksB, row, PENDING),
      side,
    };
  };
}

function RowLine({
  row,
  words,
  parents,
  stubs,
  isSelected,
  history: { sides, marksA, marksB, hasDates },
  ...place
}: PlacedRow<MergedRow> & { history: MergedHistory }) {
  return (
    <ListLine place={place} row={row} isSelected={isSelected} isRead={words !== undefined}>
      {words !== undefined && (
        <>
          <span class="what" title={wordsText(words.words)}>
            {sides[row] === A && <Tag look="a">only A</Tag>}
            {sides[row] === B && <Tag look="b">only B</Tag>}
            <span class="sentence">
              <Words words={words.words} />
            </span>
            <HeadTag isOnA={has(marksA, row, HEAD)} isOnB={has(marksB, row, HEAD)} />
            {has(marksA, row, PENDING) && <Tag look="warning">pending on A</Tag>}
            {has(marksB, row, PENDING) && <Tag look="warning">pending on B</Tag>}
            {parents > 1 && (
              <span class="merges">
                <Tag>merges {count(parents)}</Tag>
              </span>
            )}
            {stubs > 0 && (
              <Tag look="warning">{stubs === 1 ? "a parent" : `${count(stubs)} parents`} missing</Tag>
            )}
          </span>
          <span class="author">
            <AuthorName words={words} />
          </span>
          <code class="oid">{words.id.slice(0, SHOWN_DIGITS)}</code>
          <RowTime words={words} hasDates={hasDates} />
        </>
      )}
    </ListLine>
  );
}

function HeadTag({ isOnA, isOnB }: { isOnA: boolean; isOnB: boolean }) {
  if (!isOnA && !isOnB) return null;
  return <Tag look="accent">{isOnA && isOnB ? "head" : isOnA ? "head on A" : "head on B"}</Tag>;
}

/** “This node” means another node on each side, so a node without another name has the name of its database. */
function AuthorName({ words: { author, ownOf } }: { words: MergedRow }) {
  const own = ownOf && databases.value[ownOf];
  if (own !== undefined && (author?.name === undefined || isThisNode(author)))
    return (
      <span class="author-name">
        <Text value={own.name} most={60} />
      </span>
    );
  return <span class="author-name">{author === undefined ? "no author" : <Name of={author} />}</span>;
}

function FoldLine({
  fold: { start },
  hidden,
  history: { sides },
  ...place
}: PlacedFold & { history: MergedHistory }) {
  const side = sides[start];
  return (
    <ListLine place={place} fold={start}>
      <span class="what">
        {counted(hidden, "more delta")} in one line,{" "}
        {side === BOTH ? "on both" : side === A ? "only on A" : "only on B"}
      </span>
      <span class="btn small">Unfold</span>
    </ListLine>
  );
}

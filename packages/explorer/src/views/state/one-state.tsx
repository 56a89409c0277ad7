/** The state of one context. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { place } from "../../page/address.js";
import { groupAddress, historyAddress, rowsAddress, timeAddress } from "../../page/addresses.js";
import { database, moment, secretsRevealed } from "../../page/session.js";
import { type Asked, useAnswer } from "../../page/use-answer.js";
import type { Answer } from "../../page/worker-client.js";
import { Copy } from "../../parts/copy.js";
import { Icon } from "../../parts/icon.js";
import { Id, SHOWN_DIGITS } from "../../parts/id.js";
import { Tag } from "../../parts/marks.js";
import { problemInWords } from "../../parts/shown-value.js";
import { Answered, Empty, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { useEscape } from "../../parts/use-escape.js";
import { View } from "../../parts/view.js";
import type { StateContext } from "../../worker/state/state.js";
import { DeltaChanges } from "./delta-changes.js";
import { EntityDetail } from "./entity-detail.js";
import { ManifestWords } from "./manifest-words.js";
import { StateHits } from "./state-hits.js";
import { StateTable } from "./state-table.js";
import { useChoice } from "./use-choice.js";

/** The state of a context. */
export function OneState({
  context,
  isUnique,
  tabs,
}: {
  context: StateContext;
  /** True if no other context has its name. */
  isUnique: boolean;
  tabs: ComponentChildren;
}) {
  const revealed = secretsRevealed.value;
  const { options } = place.value;
  const asked = useAnswer("stateRoot", context.id, revealed);
  const root = asked.answer;
  // The entities of a large state are counted on request only, also after a change.
  const [countedAt, setCountedAt] = useState<number>();
  const isCounted = root?.isSmall === true || countedAt === moment.value;
  const survey = useAnswer("stateSurvey", context.id, revealed, isCounted);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const [sought, setSought] = useState("");
  const choice = useChoice(context.id, revealed);
  const { hasChoice } = choice;
  const { entity: wanted, path, struct } = choice.wanted;
  const entity = useAnswer("stateEntity", context.id, revealed, wanted, path, struct, hasChoice);
  useEscape(choice.leave);

  return (
    <View
      title="State"
      crumbs={[
        ...(context.group === undefined
          ? []
          : [
              {
                words: context.group.name ?? context.group.id.slice(0, 8),
                address: groupAddress(context.group.id),
              },
            ]),
        { words: context.name ?? context.id.slice(0, 8), address: historyAddress("context", context.id) },
      ]}
      command={root && commandOf(context, isUnique, root, revealed)}
      head={<Head context={context} />}
      answer={
        root &&
        !isEmpty(root) && (
          <Sentence
            root={root}
            survey={survey}
            isCounted={isCounted}
            onCount={() => setCountedAt(moment.value)}
          >
            <ManifestWords contextId={context.id} source={root.source} onFailure={setFailure} />
          </Sentence>
        )
      }
    >
      <div class="rowflex">
        {tabs}
        <FindValue onFind={setSought} />
      </div>
      {failure !== undefined && <NoManifest failure={failure} />}
      {options.delta !== undefined && (
        <DeltaChanges contextId={context.id} deltaId={options.delta} revealed={revealed} />
      )}
      <Answered asked={asked} what="Reading the fields of the state.">
        {(answer) => (
          <>
            <Problems root={answer} />
            <div class={`cols ${hasChoice ? "sta" : "sta-alone"}`}>
              {isEmpty(answer) ? (
                <Empty heading="This context has no state.">
                  <p class="second">Its application wrote nothing yet, or this node does not have it.</p>
                </Empty>
              ) : sought !== "" ? (
                <StateHits contextId={context.id} text={sought} />
              ) : (
                <StateTable
                  contextId={context.id}
                  root={answer}
                  survey={survey.answer}
                  revealed={revealed}
                  chosen={hasChoice ? entity.answer : undefined}
                  chosenKey={choice.key}
                  onPrivate={(row) => choice.choosePrivate(row)}
                />
              )}
              {hasChoice && (
                <EntityDetail contextId={context.id} asked={entity} onClose={() => choice.leave()} />
              )}
            </div>
          </>
        )}
      </Answered>
    </View>
  );
}

/** The name of the context, its id and its application. */
function Head({ context }: { context: StateContext }) {
  return (
    <>
      <h1>
        <Text value={context.name ?? "A context without a name"} most={80} />
      </h1>
      <Id id={context.id} digits={16} address={rowsAddress("ContextMeta", { contextId: context.id })} />
      <Copy text={context.id} what="the id of the context" />
      {context.application !== undefined && (
        <Tag>
          runs <Text value={context.application} most={60} />
        </Tag>
      )}
      <a class="btn small" href={timeAddress("context", context.id)}>
        At a moment
      </a>
    </>
  );
}

/** The field for names and values. An empty one ends the search. */
function FindValue({ onFind }: { onFind: (text: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      class="field find-value"
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <Icon name="search" />
      <input
        aria-label="Find names and values in this state"
        placeholder="Name or value"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (currentTarget.value === "") onFind("");
        }}
      />
    </form>
  );
}

function NoManifest({ failure }: { failure: string }) {
  return (
    <Note severity="error">
      <p>
        <b>The file is not a manifest of an application.</b> The names have not changed.
      </p>
      <p>
        <Text value={failure} />
      </p>
    </Note>
  );
}

function Sentence({
  root,
  survey,
  isCounted,
  onCount,
  children,
}: {
  root: Answer<"stateRoot">;
  survey: Asked<Answer<"stateSurvey">>;
  /** True if the entities are counted, or being counted. */
  isCounted: boolean;
  onCount: () => void;
  children: ComponentChildren;
}) {
  const { answer } = survey;
  const fields = fieldsInWords(root);
  const hash = root.root.row?.fullHash;
  return (
    <>
      {answer === undefined ? (
        <>
          <b>{fields}</b>.{" "}
          {!isCounted ? (
            <>
              The state is large:{" "}
              <button type="button" class="linklike" onClick={onCount}>
                count and read all of its entities
              </button>
              .{" "}
            </>
          ) : survey.state === "failed" ? (
            "The entities could not be counted. "
          ) : (
            "The entities are being counted. "
          )}
        </>
      ) : (
        <>
          <b>{fields}</b> in <b>{counted(answer.entities, "entity", "entities")}</b>
          {answer.tombstones > 0 && <>, {count(answer.tombstones)} of them deleted</>}
          {answer.unreachableCount > 0 && <>; no field leads to {count(answer.unreachableCount)} of them</>}
          {hash !== undefined && (
            <>
              , up to the root <code title={hash}>{hash.slice(0, SHOWN_DIGITS)}</code>
            </>
          )}
          .{" "}
          {answer.problemCount > 0 && (
            <>
              <b>{counted(answer.problemCount, "part")}</b> of it cannot be shown.{" "}
            </>
          )}
        </>
      )}
      {children}
    </>
  );
}

/** The number of fields; for a state with one collection, the number of its entries. */
function fieldsInWords({ rows }: Answer<"stateRoot">): string {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined && (only.opens ?? 0) > 0 && only.value.look === "count")
    return only.value.text;
  return counted(rows.length, "field");
}

/** Returns whether a state is empty. */
function isEmpty({ rows, root, privateRows }: Answer<"stateRoot">): boolean {
  return rows.length === 0 && privateRows === 0 && root.row === undefined;
}

function Problems({ root }: { root: Answer<"stateRoot"> }) {
  if (isEmpty(root)) return null;
  return (
    <>
      {root.source.warnings.map(({ message }) => (
        <Note key={message} severity="warning">
          <p>
            <Text value={message} />
          </p>
        </Note>
      ))}
      {root.problems.map((problem) => (
        <Note key={problem.name} severity="warning">
          <p>
            <b>{problemInWords(problem.name)}</b>: <Text value={problem.message} most={300} />.
          </p>
        </Note>
      ))}
    </>
  );
}

function commandOf(
  { id, name }: StateContext,
  isUnique: boolean,
  { source }: Answer<"stateRoot">,
  revealed: boolean,
): readonly string[] {
  return [
    "state",
    database.value?.location ?? "",
    name !== undefined && isUnique ? name : id,
    ...(source.from === "file" && source.name !== undefined ? ["--abi", source.name] : []),
    ...(source.hints === undefined ? [] : ["--hints", source.hints]),
    ...(revealed && source.privateTypes !== undefined ? ["--private", source.privateTypes] : []),
    ...(revealed ? ["--reveal-secrets"] : []),
  ];
}

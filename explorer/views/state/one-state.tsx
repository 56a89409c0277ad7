/** The state of one context. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import { groupAddress, historyAddress, rowsAddress } from "../../page/addresses.js";
import { database, secretsRevealed } from "../../page/session.js";
import { type Asked, useAnswer } from "../../page/use-answer.js";
import { type Answer, AnswerError, ask } from "../../page/worker-client.js";
import { Copy } from "../../parts/copy.js";
import { Id } from "../../parts/id.js";
import { Tag } from "../../parts/marks.js";
import { Answered, Empty, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import { DeltaChanges } from "./delta-changes.js";
import { EntityDetail } from "./entity-detail.js";
import { ManifestWords } from "./manifest-words.js";
import { problemInWords } from "./shown-value.js";
import type { StateContext } from "./state.js";
import { StateTable } from "./state-table.js";

/** The state of a context. */
export function OneState({
  context,
  isUnique,
  tabs,
}: {
  context: StateContext;
  /** Whether no other context has its name. */
  isUnique: boolean;
  tabs: ComponentChildren;
}) {
  const revealed = secretsRevealed.value;
  const { options } = place.value;
  const asked = useAnswer("stateRoot", context.id, revealed);
  const root = asked.answer;
  const [survey, countNow] = useSurvey(context.id, revealed, root?.isSmall);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const at = options.at ?? "";
  const hasChoice = at !== "" || options.entity !== undefined;
  const [path, struct] = wayOf(at);
  const entity = useAnswer("stateEntity", context.id, revealed, options.entity, path, struct, hasChoice);

  useEffect(() => {
    if (!hasChoice) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      go(addressOf("state", [context.id], { delta: options.delta }));
      event.preventDefault();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [hasChoice, context.id, options.delta]);

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
      head={
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
        </>
      }
      answer={
        root &&
        !isEmpty(root) && (
          <Sentence root={root} survey={survey} onCount={countNow}>
            <ManifestWords contextId={context.id} source={root.source} onFailure={setFailure} />
          </Sentence>
        )
      }
    >
      {tabs}
      {failure !== undefined && (
        <Note severity="error">
          <p>
            <b>The file is no manifest of an application.</b> The names are as they were.
          </p>
          <p>
            <Text value={failure} />
          </p>
        </Note>
      )}
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
              ) : (
                <StateTable
                  contextId={context.id}
                  root={answer}
                  survey={survey.answer}
                  revealed={revealed}
                  chosen={hasChoice ? entity.answer : undefined}
                  chosenKey={at !== "" ? at : undefined}
                />
              )}
              {hasChoice && <EntityDetail contextId={context.id} asked={entity} />}
            </div>
          </>
        )}
      </Answered>
    </View>
  );
}

/** The path and the private struct in the `at` of an address. */
function wayOf(at: string): readonly [path: string, struct: string | undefined] {
  const found = /^([^|.[]+)\|(\1(?:[.[].*)?)$/s.exec(at);
  return found ? [found[2] ?? "", found[1]] : [at, undefined];
}

/** The count of all entities: by itself where that is quick, else when it is asked for. */
function useSurvey(
  contextId: string,
  revealed: boolean,
  isSmall: boolean | undefined,
): readonly [Asked<Answer<"stateSurvey"> | undefined>, () => void] {
  const [asked, setAsked] = useState<Asked<Answer<"stateSurvey"> | undefined>>({
    state: "answered",
    answer: undefined,
  });
  const countNow = () => {
    setAsked({ state: "waiting", answer: undefined });
    ask("a", "stateSurvey", contextId, revealed).then(
      (answer) => setAsked({ state: "answered", answer }),
      (error: unknown) =>
        setAsked({
          state: "failed",
          answer: undefined,
          error:
            error instanceof AnswerError
              ? error
              : new AnswerError({ code: undefined, message: String(error) }),
        }),
    );
  };
  const small = useAnswer("stateSurvey", contextId, revealed, isSmall === true);
  return [isSmall === true ? small : asked, countNow];
}

function Sentence({
  root,
  survey,
  onCount,
  children,
}: {
  root: Answer<"stateRoot">;
  survey: Asked<Answer<"stateSurvey"> | undefined>;
  onCount: () => void;
  children: ComponentChildren;
}) {
  const { answer } = survey;
  const fields = counted(root.rows.length, "field");
  return (
    <>
      {answer === undefined ? (
        <>
          <b>{fields}</b>.{" "}
          {survey.state === "waiting" ? (
            "The entities are being counted. "
          ) : survey.state === "failed" ? (
            "The entities could not be counted. "
          ) : (
            <>
              The state is large:{" "}
              <button type="button" class="linklike" onClick={onCount}>
                count and read all of its entities
              </button>
              .{" "}
            </>
          )}
        </>
      ) : (
        <>
          <b>{fields}</b> in <b>{counted(answer.entities, "entity", "entities")}</b>
          {answer.tombstones > 0 && <>, {count(answer.tombstones)} of them deleted</>}
          {answer.unreachableCount > 0 && <>; no field leads to {count(answer.unreachableCount)} of them</>}.{" "}
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

/** Whether nothing of a state is there. */
function isEmpty({ rows, root, privateRows }: Answer<"stateRoot">): boolean {
  return rows.length === 0 && privateRows === 0 && root.row === undefined;
}

function Problems({ root }: { root: Answer<"stateRoot"> }) {
  if (isEmpty(root)) return null;
  return (
    <>
      {root.source.warnings.map((warning) => (
        <Note key={warning} severity="warning">
          <p>
            <Text value={warning} />
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

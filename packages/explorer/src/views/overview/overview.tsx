/** The view Overview: the content of the node. */
import type { ComponentChildren } from "preact";
import { checksAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { uncheckedRows, verification, verifyNow } from "../../page/verification.js";
import type { Answer } from "../../page/worker-client.js";
import { Tag } from "../../parts/marks.js";
import { Answered, Note } from "../../parts/states.js";
import { counted, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import type { OpenedDatabase } from "../../worker/database/database.js";
import { Applications } from "./applications.js";
import { Facts } from "./facts.js";
import "./overview.css";
import { OwnNode } from "./own-node.js";
import { Space } from "./space.js";
import { Tree } from "./tree.js";

export function Overview() {
  const opened = database.value;
  const asked = useAnswer("overview");
  if (opened === undefined) return <View title="Overview" />;
  return (
    <View
      title="Overview"
      command={["status", opened.location]}
      head={
        <>
          <h1>
            <Text value={opened.name} most={80} />
          </h1>
          <Tag>{opened.revision}</Tag>
          <Tag>{opened.isEncrypted ? "encrypted at rest" : "not encrypted"}</Tag>
        </>
      }
      answer={asked.answer && <Sentence overview={asked.answer} />}
    >
      <Notes warnings={opened.warnings} />
      <Answered asked={asked} what="Reading the names of groups and contexts.">
        {(overview) => (
          <>
            <Facts changedAt={overview.changedAt} />
            <div class="cols ov">
              <Tree overview={overview} />
              <div class="cols">
                <OwnNode />
                <Applications applications={overview.applications} />
              </div>
            </div>
          </>
        )}
      </Answered>
      <Space />
    </View>
  );
}

function Sentence({ overview }: { overview: Answer<"overview"> }) {
  const { namespaces, groups, contexts } = overview;
  const { state, rows } = countedRows.value;
  return (
    <>
      A node in <b>{counted(namespaces, "namespace")}</b>
      {groups > 0 && (
        <>
          {" "}
          with <b>{counted(groups, "group")}</b> below
        </>
      )}{" "}
      and <b>{counted(contexts, "context")}</b>
      {state === "counted" && <>, kept in {counted(rows, "row")}</>}. <Health />
    </>
  );
}

/** The result of the checks. */
function Health(): ComponentChildren {
  const { state, counts, isRepeated } = verification.value;
  const { errors, warnings, infos } = counts;
  const wrong = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ].join(" and ");
  if (state === "waiting") return null;
  if (state === "failed") return <>The checks ended early.</>;
  if (state === "running")
    return (
      <>
        It is being checked
        {wrong !== "" && (
          <>
            :{" "}
            <a class="nowrap" href={checksAddress()}>
              {wrong}
            </a>{" "}
            so far
          </>
        )}
        .
      </>
    );
  const unchecked = uncheckedRows.value;
  if (unchecked > 0)
    return (
      <>
        It was checked before the last {counted(unchecked, "row")}
        {wrong !== "" && (
          <>
            :{" "}
            <a class="nowrap" href={checksAddress()}>
              {wrong}
            </a>
          </>
        )}
        .{" "}
        {isRepeated ? (
          "It is being checked again."
        ) : (
          <button type="button" class="btn small" onClick={() => void verifyNow()}>
            Check again
          </button>
        )}
      </>
    );
  return (
    <>
      The checks are done:{" "}
      {wrong === "" ? (
        <b>nothing is wrong</b>
      ) : (
        <a class="nowrap" href={checksAddress()}>
          {wrong}
        </a>
      )}
      {infos > 0 && (
        <>
          , and there {infos === 1 ? "is" : "are"}{" "}
          <a class="nowrap" href={checksAddress()}>
            {counted(infos, "remark")}
          </a>
        </>
      )}
      .
    </>
  );
}

/** Problems found at opening and later. */
function Notes({ warnings }: { warnings: OpenedDatabase["warnings"] }) {
  const counting = countedRows.value;
  return (
    <>
      {warnings.map((message) => (
        <Note key={message} severity="warning">
          <p>
            <Text value={message} />
          </p>
        </Note>
      ))}
      {counting.state === "failed" && (
        <Note severity="error">
          <p>
            <b>The rows could not be counted.</b>
          </p>
          <p>
            <Text value={counting.message} />
          </p>
        </Note>
      )}
    </>
  );
}

/** The changes of a delta, above the tree. */
import { addressOf } from "../../page/address.js";
import { historyAddress } from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { ShownProblem } from "../../parts/shown-value.js";
import { Answered, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";

/** The changes of a delta. */
export function DeltaChanges({
  contextId,
  deltaId,
  revealed,
}: {
  contextId: string;
  deltaId: string;
  revealed: boolean;
}) {
  const asked = useAnswer("stateDelta", contextId, revealed, deltaId);
  const close = addressOf("state", [contextId]);
  return (
    <Answered asked={asked} what="Reading what the delta changed.">
      {(found) => {
        const { changes } = found;
        if (changes === undefined)
          return (
            <Note severity="info">
              <p>
                <b>What this delta changed is not known.</b> It is not in the database, or its changes do not
                decode. <a href={close}>Show the state alone</a>.
              </p>
            </Note>
          );
        const seen = changes.filter(({ kind, isSecret, problem }) => kind !== "none" || isSecret || problem);
        const others = found.count - seen.length;
        return (
          <Panel
            title={
              <>
                Changed by delta <Id id={deltaId} address={historyAddress("context", contextId, deltaId)} />
              </>
            }
            remark={
              <>
                {counted(seen.length, "change")}
                {others > 0 && `, and ${count(others)} that only the storage needs`} ·{" "}
                <a href={close}>close</a>
              </>
            }
          >
            <div class="scroll">
              <table class="tbl st-changes">
                <tbody>
                  {seen.map(({ kind, entity, path, value, problem, isSecret }, at) => (
                    <tr key={`${entity} ${at}`}>
                      <td class="quiet nowrap">{KINDS[kind]}</td>
                      <td class="cut st-path">
                        {path === undefined ? (
                          isSecret ? (
                            "private data"
                          ) : (
                            <span class="quiet">its place is not known</span>
                          )
                        ) : (
                          <code>
                            <Text value={path} most={200} />
                          </code>
                        )}
                      </td>
                      <td class="cut">
                        {problem !== undefined ? (
                          <ShownProblem problem={problem} />
                        ) : isSecret && value === undefined ? (
                          <Redacted />
                        ) : (
                          value !== undefined && (
                            <b>
                              <Text value={value} most={400} />
                            </b>
                          )
                        )}
                      </td>
                      <td class="nowrap num">
                        <Id
                          id={entity}
                          address={addressOf("state", [contextId], { entity, delta: deltaId })}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Panel>
        );
      }}
    </Answered>
  );
}

const KINDS = {
  set: "set",
  insert: "inserted",
  delete: "deleted",
  create: "created",
  none: "storage",
} as const;

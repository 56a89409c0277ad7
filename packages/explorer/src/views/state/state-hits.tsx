/** The parts of a state with a text, shown in place of the tree. */
import { stateAddress } from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { ShownValue } from "../../parts/shown-value.js";
import { Answered } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";

export function StateHits({ contextId, text }: { contextId: string; text: string }) {
  const asked = useAnswer("stateSearch", contextId, text);
  return (
    <Answered asked={asked} what="Looking through the names and values.">
      {({ hits, total, isWhole }) => (
        <Panel
          title={`${counted(total, "part")} with this text`}
          foot={
            <>
              {total > hits.length && `The first ${count(hits.length)} are shown. `}
              {!isWhole && "Not all of the state could be looked through: there may be more."}
            </>
          }
        >
          <div class="scroll">
            <table class="tbl state-hits">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Value</th>
                </tr>
              </thead>
              <tbody>
                {hits.map(({ path, value, entity }) => (
                  <tr key={path}>
                    <td>
                      {entity === undefined ? (
                        <code>
                          <Text value={path} most={200} />
                        </code>
                      ) : (
                        <a href={stateAddress(contextId, entity)}>
                          <code>
                            <Text value={path} most={200} />
                          </code>
                        </a>
                      )}
                    </td>
                    <td>
                      <ShownValue value={value} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </Answered>
  );
}

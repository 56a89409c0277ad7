/** The view State: the application's data. */
import { addressOf, place } from "../../page/address.js";
import { stateAddress } from "../../page/addresses.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { Choice } from "../../parts/choice.js";
import { Answered, Empty } from "../../parts/states.js";
import { plainText, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import type { StateContext } from "../../worker/state/state.js";
import { OneState } from "./one-state.js";
import "./state.css";

/** The fewest digits of a cut id. */
const LEAST_DIGITS = 4;

export function State() {
  const opened = database.value;
  const asked = useAnswer("stateContexts");
  if (opened === undefined || asked.answer === undefined)
    return (
      <View title="State" head={<h1>State</h1>}>
        <Answered asked={asked} what="Counting the entities of the contexts.">
          {() => null}
        </Answered>
      </View>
    );
  const contexts = asked.answer;
  const [wanted] = place.value.words;
  const context = wanted === undefined ? contexts[0] : contextCalled(contexts, wanted);
  const tabs = contexts.length > 1 && <Contexts contexts={contexts} current={context?.id} />;
  if (opened.revision === "documented")
    return (
      <View title="State" head={<h1>State</h1>}>
        <Empty heading="The document does not say how state is laid out.">
          <p class="second">Rows shows its bytes.</p>
          <p>
            <a class="btn" href={addressOf("rows", ["ContextState"])}>
              Show the rows of state
            </a>
          </p>
        </Empty>
      </View>
    );
  if (context === undefined)
    return (
      <View title="State" head={<h1>State</h1>}>
        {tabs}
        {contexts.length === 0 ? (
          <Empty heading="This node has no context.">
            <p class="second">Only contexts have state. Overview shows what else is in the database.</p>
          </Empty>
        ) : (
          <Empty heading="No context has this id.">
            <p class="second">
              The address names <Text value={wanted ?? ""} most={80} />, which may be in another database.
            </p>
          </Empty>
        )}
      </View>
    );
  const isUnique = contexts.filter(({ name }) => name === context.name).length === 1;
  return <OneState key={context.id} context={context} isUnique={isUnique} tabs={tabs} />;
}

/** The context with an id, or the only context with a name or with this beginning of an id. */
function contextCalled(contexts: readonly StateContext[], wanted: string): StateContext | undefined {
  const digits = wanted.toLowerCase();
  const whole = contexts.find(({ id }) => id === digits);
  const called = contexts.filter(({ name }) => name === wanted);
  const begun = contexts.filter(({ id }) => digits.length >= LEAST_DIGITS && id.startsWith(digits));
  return whole ?? [called, begun].find(({ length }) => length === 1)?.[0];
}

function Contexts({ contexts, current }: { contexts: readonly StateContext[]; current: string | undefined }) {
  return (
    <Choice
      label="Contexts"
      segments={contexts.map(({ id, name, entities }) => ({
        words: plainText(name ?? id.slice(0, 8), 40),
        address: stateAddress(id),
        count: entities,
        isCurrent: id === current,
      }))}
    />
  );
}

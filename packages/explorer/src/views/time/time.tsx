/** The view Time: the data of a context, or the members of a group, at any moment. */
import "./time.css";
import { useEffect } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { timeAddress } from "../../page/addresses.js";
import { newestFirst } from "../../page/newest.js";
import { lengthOf } from "../../page/row-counts.js";
import { database, secretsRevealed } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { Choice } from "../../parts/choice.js";
import { Answered, Empty } from "../../parts/states.js";
import { plainText } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import type { Choices } from "../../worker/history/histories.js";
import type { TimeOf } from "../../worker/past/time.js";
import { OneTime } from "./one-time.js";

export function Time() {
  const [of = "", id = ""] = place.value.words;
  const asked = useAnswer("histories");
  const all = asked.answer ?? [];
  const first = firstOf(all);
  const isDocumented = database.value?.revision === "documented";
  const isChosen = (of === "context" || of === "group") && id !== "";
  useEffect(() => {
    if (!isChosen && !isDocumented && first !== undefined) go(first, { replace: true });
  }, [isChosen, first]);
  if (isDocumented)
    return (
      <View title="Time" head={<h1>Time</h1>}>
        <Empty heading="The document does not say how state is laid out.">
          <p>History shows the deltas, and Groups the members of now.</p>
        </Empty>
      </View>
    );
  if (isChosen) {
    const revealed = secretsRevealed.value;
    const tabs = <Subjects all={all} of={of} id={id} />;
    return <OneTime key={`${of} ${id} ${revealed}`} of={of} id={id} revealed={revealed} tabs={tabs} />;
  }
  return (
    <View title="Time" head={<h1>Time</h1>}>
      <Answered asked={asked} what="Looking for histories.">
        {() =>
          first === undefined && (
            <Empty heading="This node has no history.">
              <p>Nothing has happened yet that it could show again.</p>
            </Empty>
          )
        }
      </Answered>
    </View>
  );
}

/** The past of the context that changed last, or of the first namespace. */
function firstOf(all: readonly Choices[]): string | undefined {
  const [newest] = newestFirst(all);
  if (newest !== undefined) return timeAddress("context", newest.thing.id);
  const { namespace } = all.find((one) => one.namespace !== undefined) ?? {};
  return namespace && timeAddress("group", namespace.id);
}

/** The contexts, the last changed first, then the namespaces. */
function Subjects({ all, of, id }: { all: readonly Choices[]; of: TimeOf; id: string }) {
  const namespaces = all
    .flatMap((one) => one.choices)
    .filter((one) => one.of === "namespace" && !one.isEmpty);
  const segments = [...newestFirst(all), ...namespaces].map((one) => {
    const subject = one.of === "context" ? "context" : "group";
    const name = plainText(one.thing.name ?? one.thing.id.slice(0, 8), 40);
    return {
      words: subject === "context" ? name : `${name}, members`,
      address: timeAddress(subject, one.thing.id),
      count: lengthOf(one),
      isCurrent: subject === of && one.thing.id === id,
    };
  });
  return segments.length > 1 ? <Choice label="Past of" segments={segments} /> : null;
}

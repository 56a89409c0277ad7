/** The view History: the deltas of a context, or the operations of a namespace or a group. */
import "./history.css";
import { useEffect } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { historyAddress } from "../../page/addresses.js";
import { newestFirst } from "../../page/newest.js";
import { useAnswer } from "../../page/use-answer.js";
import { Answered, Empty } from "../../parts/states.js";
import { View } from "../../parts/view.js";
import type { HistoryOf } from "../../worker/history/rows.js";
import { OneHistory } from "./one-history.js";

const KINDS: readonly string[] = ["context", "namespace", "group"] satisfies HistoryOf[];

/** The history in the address, or the first history. */
export function History() {
  const [of = "", id = "", at] = place.value.words;
  if (KINDS.includes(of) && id !== "")
    return <OneHistory key={`${of} ${id}`} of={of as HistoryOf} id={id} at={at} />;
  return <FirstHistory />;
}

/** Opens the context that changed last, or else the first log. */
function FirstHistory() {
  const asked = useAnswer("histories");
  const namespaces = asked.answer ?? [];
  const all = namespaces.flatMap(({ choices }) => choices);
  const first = newestFirst(namespaces)[0] ?? all.find(({ isEmpty }) => !isEmpty) ?? all[0];
  const address = first && historyAddress(first.of, first.thing.id);
  useEffect(() => {
    if (address !== undefined) go(address, { replace: true });
  }, [address]);
  return (
    <View title="History">
      <Answered asked={asked} what="Looking for histories.">
        {() =>
          first === undefined && (
            <Empty heading="This node has no history.">
              <p>It is in no namespace, and it has no context.</p>
            </Empty>
          )
        }
      </Answered>
    </View>
  );
}

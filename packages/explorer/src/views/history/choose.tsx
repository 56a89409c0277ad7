/** The choice of a history: the namespaces, and the logs and contexts of one. */
import { go } from "../../page/address.js";
import { historyAddress } from "../../page/addresses.js";
import { lengthOf } from "../../page/row-counts.js";
import { useAnswer } from "../../page/use-answer.js";
import { Choice as Tabs } from "../../parts/choice.js";
import { counted, plainText } from "../../parts/text.js";
import type { Choice, Choices } from "../../worker/history/histories.js";
import type { HistoryOf } from "../../worker/history/rows.js";

/** The choice. */
export function Choose({ of, id }: { of: HistoryOf; id: string }) {
  const { answer: all = [] } = useAnswer("histories");
  const isCurrent = (choice: Choice): boolean => choice.of === of && choice.thing.id === id;
  const current = all.find(({ choices }) => choices.some(isCurrent));
  if (all.length === 0) return <span />;
  const choose = (at: number): void => {
    const choices = all[at]?.choices ?? [];
    const first = choices.find((choice) => choice.of === "context" && !choice.isEmpty) ?? choices[0];
    if (first !== undefined) go(historyAddress(first.of, first.thing.id));
  };
  return (
    <div class="rowflex choose">
      {all.length > 1 && (
        <select
          class="field"
          aria-label="Namespace"
          value={current === undefined ? "" : all.indexOf(current)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {current === undefined && <option value="">Choose a namespace</option>}
          {all.map((one, at) => (
            <option key={one.namespace?.id ?? ""} value={at}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      )}
      {current !== undefined && (
        <Tabs
          label="History of"
          segments={current.choices.map((choice) => ({
            words: wordsOf(choice),
            address: historyAddress(choice.of, choice.thing.id),
            count: lengthOf(choice),
            isCurrent: isCurrent(choice),
          }))}
        />
      )}
      {current !== undefined && current.more > 0 && (
        <span class="quiet">{counted(current.more, "more context")}</span>
      )}
    </div>
  );
}

function nameOf({ namespace }: Choices): string {
  if (namespace === undefined) return "Contexts of no group";
  return plainText(namespace.name ?? namespace.id.slice(0, 8), 40);
}

function wordsOf({ of, thing }: Choice): string {
  const name = plainText(thing.name ?? thing.id.slice(0, 8), 40);
  return of === "context" ? name : `${name}, ${of}`;
}

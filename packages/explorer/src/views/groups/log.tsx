/** The history of a group, in words. */
import type { GroupDetails } from "merostore/node";
import { useState } from "preact/hooks";
import { addressOf, place } from "../../page/address.js";
import { historyAddress, rowsAddress } from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { Tag } from "../../parts/marks.js";
import { Segments } from "../../parts/segments.js";
import { Answered } from "../../parts/states.js";
import { count, counted, plainText } from "../../parts/text.js";
import { Words } from "../../parts/words.js";
import type { Word } from "../../worker/database/words.js";
import type { GroupLog } from "../../worker/groups/groups.js";

/** Operations that are shown at first, and additional operations each time. */
const [FIRST, MORE] = [50, 200];
/** The most operations that are shown here: the history shows the others. */
const MOST = 850;

/** The log in the address. */
export function Log({ id, details }: { id: string; details: GroupDetails | undefined }) {
  const [limit, setLimit] = useState(FIRST);
  const hasOwn = details?.ownLog !== undefined;
  const { log: wanted } = place.value.options;
  const of = wanted === "namespace" || !hasOwn ? "namespace" : "group";
  const asked = useAnswer("groupLog", id, of, limit);
  const isNamespace = details?.namespace.id === id;
  return (
    <section class="panel group-log" aria-labelledby="log-heading">
      <div class="panel-head">
        <h2 id="log-heading">Log, newest first</h2>
        {details !== undefined && (
          <Segments
            label="Which log"
            segments={[
              ...(hasOwn
                ? [
                    {
                      words: "This group’s",
                      address: addressOf("groups", [id]),
                      count: Number(details.ownLog?.length ?? 0n),
                      isCurrent: of === "group",
                    },
                  ]
                : []),
              {
                words: "The namespace’s",
                address: addressOf("groups", [id], { log: "namespace" }),
                count: isNamespace ? Number(details.namespaceLog?.length ?? 0n) : undefined,
                isCurrent: of === "namespace",
              },
            ]}
          />
        )}
      </div>
      <Answered asked={asked} what="Reading the log.">
        {(log) => <Operations log={log} of={of} group={id} />}
      </Answered>
      <div class="panel-foot rowflex">
        <span>
          These operations carry no time, but their order is certain. The history shows before when each was
          made.
        </span>
        {asked.answer?.hasMore && limit < MOST && (
          <button type="button" class="btn small" onClick={() => setLimit(limit + MORE)}>
            Show {count(MORE)} more
          </button>
        )}
        {asked.answer !== undefined && (
          <a href={historyAddress(of, asked.answer.within)}>
            Show the {of === "group" ? "group" : "namespace"}’s log as a graph
          </a>
        )}
      </div>
    </section>
  );
}

/** A sentence without the group of the page: `Zoë left office` stays, `in office` goes. */
function withoutGroup(words: readonly Word[], id: string): readonly Word[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (typeof word === "string" && isThing(next, id)) return word.replace(/ (?:in|of) $/, "");
    const before = words[at - 1];
    return isThing(word, id) && typeof before === "string" && / (?:in|of) $/.test(before) ? [] : word;
  });
}

function isThing(word: Word | undefined, id: string): boolean {
  return typeof word === "object" && "id" in word && word.id === id;
}

function Operations({
  log: { rows, within },
  of,
  group,
}: {
  log: GroupLog;
  of: "group" | "namespace";
  group: string;
}) {
  if (rows.length === 0) return <p class="panel-body quiet">The log has no operations.</p>;
  return (
    <table class="tbl">
      <thead>
        <tr>
          <th class="num">No.</th>
          <th>Operation</th>
          <th class="hide-s kind-of">Kind</th>
          <th class="num hide-s">Row</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, sequence, words, kind, isHead, stored }) => (
          <tr key={id}>
            <td class="num">
              <a
                href={historyAddress(of, within, id)}
                aria-label={`Operation ${sequence} in the history`}
                title={id}
              >
                {sequence === "" ? "?" : count(BigInt(sequence))}
              </a>
            </td>
            <td class="wide">
              <Words words={withoutGroup(words, group)} linked /> {isHead && <Tag look="accent">head</Tag>}
            </td>
            <td class="hide-s nowrap quiet kind-of">
              <code>{plainText(kind ?? "", 60)}</code>
            </td>
            <td class="num hide-s">
              {stored !== undefined && (
                <a class="nowrap" href={rowsAddress(stored.kind, {}, stored.key)}>
                  {counted(stored.bytes, "byte")}
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

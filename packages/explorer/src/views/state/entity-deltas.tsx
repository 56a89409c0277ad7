/** The deltas that changed an entity. */

import { useEffect, useState } from "preact/hooks";
import { historyAddress } from "../../page/addresses.js";
import { messageOf } from "../../page/message-of.js";
import { moment } from "../../page/session.js";
import { type Answer, ask } from "../../page/worker-client.js";
import { Id } from "../../parts/id.js";
import { Author } from "../../parts/marks.js";
import { count, counted, Text } from "../../parts/text.js";
import { utc, utcClock } from "../../parts/time.js";

type Found = Answer<"entityDeltas">;

/** The deltas that changed an entity, newest first. The first question reads all deltas of the context. */
export function EntityDeltas({ contextId, entityId }: { contextId: string; entityId: string }) {
  const [read, setRead] = useState(0);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const now = moment.value;
  useEffect(() => {
    let current = true;
    setFound(undefined);
    setFailure(undefined);
    ask("a", "entityDeltas", contextId, entityId, (deltas: number) => current && setRead(deltas)).then(
      (answer) => current && setFound(answer),
      (error: unknown) => current && setFailure(messageOf(error)),
    );
    return () => {
      current = false;
    };
  }, [contextId, entityId, now]);
  if (failure !== undefined)
    return (
      <p class="second">
        The deltas could not be read: <Text value={failure} most={300} />
      </p>
    );
  if (found === undefined)
    return (
      <p class="quiet" aria-busy="true">
        Reading the deltas{read > 0 && <>: {count(read)} so far</>}.
      </p>
    );
  return (
    <section>
      <h3>
        {found.count === 0 ? "No delta here changed it" : `Changed by ${counted(found.count, "delta")}`}
      </h3>
      {found.count === 0 && (
        <p class="second">
          It came with a snapshot, or it is private data or part of the tree, which no delta carries.
        </p>
      )}
      <ul class="plainlist">
        {found.deltas.map(({ id, kinds, time, author, colour }) => (
          <li key={id}>
            <Author author={colour}>
              {author === undefined ? (
                "unknown"
              ) : (
                <Text value={author.name ?? author.id.slice(0, 8)} most={24} />
              )}
            </Author>{" "}
            <Id id={id} address={historyAddress("context", contextId, id)} />{" "}
            {time !== undefined && (
              <span class="quiet num" title={utc(time)}>
                {utcClock(time)}
              </span>
            )}{" "}
            {kinds.map((kind) => KINDS[kind] ?? kind).join(", ")}
          </li>
        ))}
      </ul>
      {found.count > found.deltas.length && (
        <p class="quiet">The newest {count(found.deltas.length)} are listed.</p>
      )}
      {!found.isWhole && <p class="quiet">The history is long: older deltas were not read.</p>}
    </section>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  Add: "added",
  Update: "updated",
  DeleteRef: "deleted",
  Compare: "compared",
};

/** What the other nodes of the page have of the history of a context. */
import { useEffect, useState } from "preact/hooks";
import { membersOf } from "./fleet.js";
import { moment, nodes } from "./session.js";
import { askTracks, sourceOf, type Track } from "./worker-client.js";

/** The tracks of the other nodes; none without other nodes, for a thing that is no context, and until they are read. */
export function useTracks(context: string | undefined): readonly Track[] {
  const [tracks, setTracks] = useState<readonly Track[]>([]);
  const all = nodes.value;
  const own = sourceOf("a");
  const now = moment.value;
  useEffect(() => {
    setTracks([]);
    if (context === undefined || all.length < 2 || own === undefined) return;
    const work = new AbortController();
    const members = membersOf(all).toSorted(
      (one, other) => Number(other.source === own) - Number(one.source === own),
    );
    // A picture beside the answer: without it the view still says all that this node knows.
    askTracks(work.signal, members, context).then(setTracks, () => undefined);
    return () => work.abort();
  }, [all, own, context, now]);
  return tracks;
}

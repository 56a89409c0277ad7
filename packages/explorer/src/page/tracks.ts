/** The history of a context on the other nodes of the page. */
import { useEffect, useState } from "preact/hooks";
import { announce } from "./announcements.js";
import { membersOf } from "./fleet.js";
import { messageOf } from "./message-of.js";
import { nodes } from "./session.js";
import { askTracks, sourceOf, type Track } from "./worker-client.js";

/** The tracks of the other nodes, read when a context is opened; empty without other nodes, and until they are read. */
export function useTracks(context: string | undefined): readonly Track[] {
  const [tracks, setTracks] = useState<readonly Track[]>([]);
  const all = nodes.value;
  const own = sourceOf("a");
  useEffect(() => {
    setTracks([]);
    if (context === undefined || all.length < 2 || own === undefined) return;
    const work = new AbortController();
    const members = membersOf(all).toSorted(
      (one, other) => Number(other.source === own) - Number(one.source === own),
    );
    askTracks(work.signal, members, context).then(setTracks, (error: unknown) =>
      announce(`The histories of other nodes cannot be read: ${messageOf(error)}`),
    );
    return () => work.abort();
  }, [all, own, context]);
  return tracks;
}

/** The histories of the other nodes, below the history of this node. */
import type { Track } from "../../page/worker-client.js";
import { count, Text } from "../../parts/text.js";
import { type Axis, placeOf, type Shape, ticksOf, ticksOfTrack } from "./axis.js";
import { Track as Line } from "./track.js";

/** The part of the axis beyond which a track has no room for words. */
const LAST = 0.86;

export function Tracks({ tracks, shape, axis }: { tracks: readonly Track[]; shape: Shape; axis: Axis }) {
  const ticks = ticksOf(shape, axis);
  return (
    <>
      {tracks.map((track) => {
        const { times, isJoined } = track;
        const places = Array.from(times, (time) => placeOf(time, axis));
        const [first, last] = places.reduce(
          ([least, most], place) => [Math.min(least, place), Math.max(most, place)],
          [1, 0],
        );
        return (
          <div class="trk" key={track.name}>
            <span class="tl" title={track.failure}>
              <b>
                <Text value={track.name} most={40} />
              </b>{" "}
              <span class="quiet">{wordsOf(track)}</span>
            </span>
            <span class="ta">
              <Line
                ticks={ticksOfTrack(track, ticks, axis)}
                stretches={
                  isJoined && first > 0 ? [{ from: 0, to: first, words: "not known: snapshot" }] : []
                }
              />
              {track.behind > 0 && times.length > 0 && last < LAST && (
                <span class="ends quiet" style={{ left: `${last * 100}%` }}>
                  ends here
                </span>
              )}
            </span>
          </div>
        );
      })}
    </>
  );
}

function wordsOf({ failure, isMember, isSame, behind, ahead }: Track): string {
  if (failure !== undefined) return "cannot be read";
  if (!isMember) return "not a member";
  if (isSame) return "same root";
  const words = [
    ...(behind > 0 ? [`${count(behind)} behind`] : []),
    ...(ahead > 0 ? [`${count(ahead)} ahead`] : []),
  ];
  if (words.length > 0) return words.join(", ");
  return isSame === undefined ? "root not known" : "another root";
}

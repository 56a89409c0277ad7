/** The sentence about a moment of the past. */
import type { Answer } from "../../page/worker-client.js";
import { count, counted } from "../../parts/text.js";
import { utc } from "../../parts/time.js";
import type { TimeOf } from "../../worker/past/time.js";
import type { Shape } from "./axis.js";

/** The moment, the number of its entries or members, and the number of later deltas or operations. */
export function Sentence({
  of,
  then,
  shape,
  kind,
}: {
  of: TimeOf;
  then: Answer<"timeAt">;
  shape: Shape;
  kind: string;
}) {
  const { position, by, count: there } = then;
  const after = shape.size - position;
  const entries = of === "context" ? counted(there, "entry", "entries") : counted(there, "member");
  return (
    <>
      {position === 0 ? (
        <b>Before the first delta that is here</b>
      ) : (
        <>
          At <b>{by?.time === undefined ? "an unknown time" : `${utc(by.time)} UTC`}</b>
          {of === "group" && by?.time !== undefined && " at the latest"}, after {kind}{" "}
          <b>
            {count(position)} of {count(shape.size)}
          </b>
        </>
      )}
      , there {there === 1 ? "was" : "were"} <b>{entries}</b>.{" "}
      {after === 0 ? (
        "Nothing follows: this is the state of now."
      ) : (
        <>
          <b>{counted(after, kind)}</b> {after === 1 ? "follows" : "follow"}.
        </>
      )}
      {shape.isJoined && shape.size > 0 && (
        <>
          {" "}
          Before{" "}
          <b>{Number.isNaN(shape.times[0]) ? "the first delta" : utc(shape.times[0] as number).slice(11)}</b>{" "}
          nothing is known: the node joined from a snapshot, or its history was pruned.
        </>
      )}
      {shape.pending > 0 &&
        ` ${counted(shape.pending, "delta")} that ${shape.pending === 1 ? "waits" : "wait"} for others ${shape.pending === 1 ? "is" : "are"} not shown.`}
    </>
  );
}

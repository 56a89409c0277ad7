/** The lines beside the chain of causes: one while both nodes have the same past, then one for each node. */
import type { Cause } from "../../worker/compare/why.js";

/** A half of a node's line beside an item: solid while something of the node follows, dashed from there on. */
type Half = "solid" | "dashed" | undefined;

/** The lines beside an item. */
export interface Lanes {
  /** The shared line: from the item above, and to the item below. */
  readonly above: boolean;
  readonly below: boolean;
  /** True for the item below which the nodes part. */
  readonly isFork: boolean;
  /**
   * For each node: the line from the item above, the line to the item below, and whether its line ends here without an
   * item.
   */
  readonly a: { readonly up: Half; readonly down: Half; readonly isEnd: boolean };
  readonly b: { readonly up: Half; readonly down: Half; readonly isEnd: boolean };
}

/** The lines of all items; undefined for items that are no operations or deltas. */
export function lanesOf(causes: readonly Cause[], first: Cause | undefined): readonly (Lanes | undefined)[] {
  const happened = causes.filter(({ event }) => event !== undefined);
  const end = happened.length - 1;
  const alone = happened.findIndex(({ event }) => event?.on !== "both");
  const fork = first?.event?.on === "both" ? happened.indexOf(first) : alone < 0 ? end : alone - 1;
  const side = (of: "a" | "b", at: number): Lanes["a"] => {
    const last = happened.findLastIndex(
      ({ event }, place) => place > fork && event?.on !== (of === "a" ? "b" : "a"),
    );
    const half = (isThere: boolean, goesOn: boolean): Half =>
      isThere ? (goesOn ? "solid" : "dashed") : undefined;
    return {
      up: half(at > fork && at > 0, at <= last),
      down: half(at >= fork && at < end, at < last),
      isEnd: at === end && at > fork && last < end,
    };
  };
  return causes.map((cause) => {
    const at = happened.indexOf(cause);
    if (at < 0) return undefined;
    return {
      above: at > 0 && at <= fork,
      below: at < fork,
      isFork: at === fork && at < end,
      a: side("a", at),
      b: side("b", at),
    };
  });
}

/** The lines. They are drawn in each item, whose words may wrap. */
export function LaneLines({ lanes }: { lanes: Lanes }) {
  const { above, below, isFork, b } = lanes;
  return (
    <>
      {above && <i class="l up" />}
      {below && <i class="l down" />}
      {isFork && (
        <svg class={`fork ${b.down}`} width="26" height="30" aria-hidden="true">
          <path d="M1 0C1 18 25 10 25 30" />
        </svg>
      )}
      {(["a", "b"] as const).map((of) => {
        const { up, down, isEnd } = lanes[of];
        return (
          <>
            {up && <i key={`${of} up`} class={`l up ${of} ${up} ${isEnd ? "stop" : ""}`} />}
            {down && (
              <i key={`${of} down`} class={`l down ${of} ${down} ${isFork && of === "b" ? "from" : ""}`} />
            )}
          </>
        );
      })}
    </>
  );
}

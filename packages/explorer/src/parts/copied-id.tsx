/** The first digits of an id, and a button that copies the whole. */
import { Copy } from "./copy.js";

/** Digits of an id if there is room. */
const LONG_DIGITS = 16;

/** An id that is not a link. `what` names the thing with the id, for people who do not see the icon. */
export function CopiedId({ id, what, quiet = false }: { id: string; what: string; quiet?: boolean }) {
  return (
    <span class="nowrap">
      <code class={quiet ? "quiet" : undefined} title={id}>
        {id.slice(0, LONG_DIGITS)}
      </code>{" "}
      <Copy text={id} what={what} />
    </span>
  );
}

/** A term and its description. */
import type { ComponentChildren } from "preact";

/** A pair in a list of descriptions, `<dl class="kv">`. */
export function Pair({
  term,
  class: extra,
  children,
}: {
  term: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <dt>{term}</dt>
      <dd class={extra}>{children}</dd>
    </>
  );
}

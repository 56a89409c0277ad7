/** Small marks: tags, kinds of rows, severities, people, redacted values. */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.js";
import { kindGroup } from "./kind-groups.js";

/** A short word about the thing beside it. */
export function Tag({
  look = "",
  children,
}: {
  look?: "" | "accent" | "warning" | "error" | "a" | "b";
  children: ComponentChildren;
}) {
  return <span class={`tag ${look}`}>{children}</span>;
}

/** A square in the colour of a kind of rows, with the words beside it. */
export function Kind({ kind, children }: { kind: string; children?: ComponentChildren }) {
  return <span class={`kind k-${kindGroup(kind)}`}>{children ?? kind}</span>;
}

/** The severities of findings, and the states "fine" and "left out". */
export type Severity = "error" | "warning" | "info" | "ok" | "skip";

/** A severity by its form and colour, with words. */
export function SeverityMark({ severity, children }: { severity: Severity; children: ComponentChildren }) {
  return (
    <span class={`sev ${severity}`}>
      <Icon name={severity} />
      {children}
    </span>
  );
}

/**
 * A person as a disc. `author` is the number of the colour: 1 for this node, 6 for all people beyond five, or for no
 * author.
 */
export function Author({ author, children }: { author: number; children: ComponentChildren }) {
  return <span class={`author au-${author}`}>{children}</span>;
}

/** A secret that is not shown. */
export function Redacted({ bytes }: { bytes?: number | undefined }) {
  return (
    <span class="redacted" title={bytes === undefined ? "a secret" : `a secret of ${bytes} bytes`}>
      <span>redacted</span>
    </span>
  );
}

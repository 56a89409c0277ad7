/** The placeholders of an answer that is pending, missing or failed. */
import type { ComponentChildren } from "preact";
import type { Asked } from "../page/use-answer.js";
import { Icon } from "./icon.js";
import { plainText, Text } from "./text.js";

/** An event, its meaning, and one thing to do. */
export function Note({
  severity,
  children,
}: {
  severity: "error" | "warning" | "info";
  children: ComponentChildren;
}) {
  return (
    <div class={`note ${severity}`} role={severity === "error" ? "alert" : "note"}>
      <Icon name={severity} />
      <div>{children}</div>
    </div>
  );
}

/** A heading that is a whole sentence, the reason, and advice. */
export function Empty({ heading, children }: { heading: string; children?: ComponentChildren }) {
  return (
    <section class="panel empty">
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

/** The placeholder of a pending answer: lines of the shape that it will have. */
export function Waiting({
  what,
  lines = 4,
  children,
}: {
  what: string;
  lines?: number;
  /** An early part of the answer, in place of the lines. */
  children?: ComponentChildren;
}) {
  return (
    <section class="panel" aria-busy="true">
      <p class="panel-head quiet">{what}</p>
      {children ?? (
        <div class="panel-body waiting">
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} class={`skel skel-${line % 4}`} />
          ))}
        </div>
      )}
    </section>
  );
}

/**
 * An answer, or its placeholder. The previous answer stays until a newer one comes.
 *
 * @param what the sentence until the first answer comes: "Counting the rows."
 * @param meanwhile an early part of the first answer
 */
export function Answered<T>({
  asked,
  what,
  meanwhile,
  children,
}: {
  asked: Asked<T>;
  what: string;
  meanwhile?: ComponentChildren;
  children: (answer: T) => ComponentChildren;
}) {
  if (asked.state === "failed")
    return (
      <Note severity="error">
        <p>
          <b>This could not be read.</b>
        </p>
        <p>
          <Text value={plainText(asked.error.message)} />
        </p>
      </Note>
    );
  if (asked.state === "waiting" && asked.answer === undefined)
    return <Waiting what={what}>{meanwhile}</Waiting>;
  // An answer may be empty.
  return <>{children(asked.answer as T)}</>;
}

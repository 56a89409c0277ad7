/** The placeholders of an answer: on its way, missing, failed. */
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

/** A heading that is a whole sentence, why, and what to do. */
export function Empty({ heading, children }: { heading: string; children?: ComponentChildren }) {
  return (
    <section class="panel empty">
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

/** The placeholder while an answer is on its way: lines of the shape it will have. */
export function Waiting({
  what,
  lines = 4,
  children,
}: {
  what: string;
  lines?: number;
  /** A part of the answer that is there; takes the place of the lines. */
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
 * An answer, or what stands in its place. While a newer answer is on its way, the one before stays.
 *
 * @param what the sentence while the first answer is on its way: "Counting the rows."
 * @param meanwhile a part of that answer, which is there before it
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
  // An answer may be that there is nothing.
  return <>{children(asked.answer as T)}</>;
}

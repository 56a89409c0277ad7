/** The frame that all views have: a heading, the answer in a sentence, and the command that prints the same. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Crumb, present } from "../page/present.js";
import { Damage } from "./damage.js";
import { NotFollowed } from "./not-followed.js";

/** A view. */
export function View({
  title,
  crumbs = [],
  command,
  head,
  answer,
  class: extra = "",
  children,
}: {
  /** The name of the view, or of the shown thing, as text. */
  title: string;
  /** The things that contain it, the outermost first. The title is added at the end. */
  crumbs?: readonly Crumb[];
  /** The words after `merostore` of the command that prints the same; undefined if none does. */
  command?: readonly string[] | undefined;
  /** The content of the heading's line, the heading itself included. */
  head?: ComponentChildren;
  /** The answer to the view's question, in a sentence. */
  answer?: ComponentChildren;
  class?: string;
  children?: ComponentChildren;
}) {
  useEffect(() => {
    present.value = { title, crumbs, command };
  }, [title, JSON.stringify(crumbs), JSON.stringify(command)]);
  return (
    <main class={`view ${extra}`} id="view" tabIndex={-1}>
      {(head !== undefined || answer !== undefined) && (
        <header class="view-head">
          {head !== undefined && <div class="line">{head}</div>}
          {answer !== undefined && <p class="answer">{answer}</p>}
        </header>
      )}
      <NotFollowed />
      <Damage />
      {children}
    </main>
  );
}

/** A framed part of a view. */
export function Panel({
  title,
  remark,
  foot,
  class: extra = "",
  children,
}: {
  title?: ComponentChildren;
  /** The content at the right of the heading. */
  remark?: ComponentChildren;
  foot?: ComponentChildren;
  class?: string;
  children?: ComponentChildren;
}) {
  return (
    <section class={`panel ${extra}`}>
      {title !== undefined && (
        <div class="panel-head">
          <h2>{title}</h2>
          {remark !== undefined && <span class="quiet">{remark}</span>}
        </div>
      )}
      {children}
      {foot && <div class="panel-foot">{foot}</div>}
    </section>
  );
}

/** Returns whether a detail covers the lower part of the page. */
export function hasSheet(): boolean {
  return matchMedia("(max-width: 1023px)").matches;
}

/**
 * The frame around every view: the database and the views at the left, the path and the search above, the command
 * below.
 */
import { type ComponentChildren, Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { announcement } from "../page/announcements.js";
import { commandLine } from "../page/command-line.js";
import { present } from "../page/present.js";
import { database } from "../page/session.js";
import { Copy } from "../parts/copy.js";
import { plainText, Text } from "../parts/text.js";
import { Navigation } from "./navigation.js";
import { SearchField } from "./search-field.js";

/** The shell around a view. */
export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <div class="shell">
        <Navigation />
        <div class="main">
          <header class="top">
            <Crumbs />
            <SearchField />
          </header>
          {children}
          <Command />
        </div>
      </div>
      <Announcement />
    </>
  );
}

/** Moves the focus past the parts that all views share. */
function skip(): void {
  document.getElementById("view")?.focus();
}

function Crumbs() {
  const { crumbs, title } = present.value;
  const name = database.value?.name ?? "";
  useEffect(() => {
    document.title = `${plainText(title, 60)} · ${plainText(name, 60)} · merostore`;
  }, [title, name]);
  return (
    <nav class="crumbs" aria-label="Where you are">
      {crumbs.map(({ words, address }) => (
        <Fragment key={address}>
          <a href={address}>
            <Text value={words} most={60} />
          </a>
          <span aria-hidden="true">/</span>
        </Fragment>
      ))}
      <b aria-current="page">
        <Text value={title} most={60} />
      </b>
    </nav>
  );
}

function Command() {
  const { command } = present.value;
  if (command === undefined) return null;
  const line = commandLine(command);
  return (
    <footer class="cmd">
      <span class="sr">The command that prints the same:</span>
      <code title={line}>{line}</code>
      <Copy text={line} what="the command" />
    </footer>
  );
}

function Announcement() {
  const shown = announcement.value;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown && (
        <div class="toast">
          <span>
            <Text value={shown.message} most={200} />
          </span>
          {shown.link && <a href={shown.link.address}>{shown.link.words}</a>}
        </div>
      )}
    </div>
  );
}

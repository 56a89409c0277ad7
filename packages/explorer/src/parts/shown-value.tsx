/** Values and problems of the application's data. */
import type { Answer } from "../page/worker-client.js";
import { capitalised } from "./capitalised.js";
import { Icon } from "./icon.js";
import { count, Text } from "./text.js";

/** A value. */
export type Shown = Answer<"stateRoot">["rows"][number]["value"];
/** A problem. */
export type Problem = Answer<"stateRoot">["problems"][number];

/** A value as the tree and the detail show it. */
export function ShownValue({ value: { text, look, cutFrom } }: { value: Shown }) {
  const more = cutFrom !== undefined && <span class="quiet"> … {count(cutFrom)} in all</span>;
  if (look === "none") return null;
  if (look === "count") return <span class="quiet">{text}</span>;
  if (look === "bytes")
    return (
      <>
        <code>{text === "" ? "no bytes" : text}</code>
        {more}
      </>
    );
  if (look === "word")
    return (
      <>
        <span class="second">
          <Text value={text} />
        </span>
        {more}
      </>
    );
  return (
    <>
      <b>
        {look === "text" && "“"}
        <Text value={text} most={20_000} />
        {look === "text" && cutFrom === undefined && "”"}
      </b>
      {more}
    </>
  );
}

/** A problem in words. */
export function ShownProblem({ problem: { name, message } }: { problem: Problem }) {
  return (
    <span class="sev warning problem" title={name}>
      <Icon name="warning" />
      <span>
        <b>{problemInWords(name)}</b>: <Text value={message} most={300} />
      </span>
    </span>
  );
}

/** The name of a problem in words: `Collection missing`. */
export function problemInWords(name: string): string {
  return capitalised(name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase());
}

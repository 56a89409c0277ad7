/** A value of the past. */
import { useAnswer } from "../page/use-answer.js";
import type { PastValue } from "../worker/past/answers.js";
import { Text } from "./text.js";

/** The place of a text, which is requested by itself. */
interface TextOf {
  readonly id: string;
  readonly revealed: boolean;
  readonly position: number;
  readonly path: string;
}

export function Value({ value, text }: { value: PastValue; text: TextOf | undefined }) {
  if (value === undefined) return <span class="quiet">not there</span>;
  if (value === null) return text === undefined ? <span class="quiet">a text</span> : <PastText {...text} />;
  if (value.startsWith("! "))
    return (
      <span class="quiet">
        <Text value={value.slice(2)} most={120} />
      </span>
    );
  const inner = textIn(value);
  return (
    <b>
      {inner === undefined ? (
        <Text value={value} most={200} />
      ) : (
        <>
          “<Text value={inner} most={200} />”
        </>
      )}
    </b>
  );
}

function textIn(json: string): string | undefined {
  if (!json.startsWith('"') || json.endsWith("…")) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function PastText({ id, revealed, position, path }: TextOf) {
  const asked = useAnswer("timeText", id, revealed, position, path);
  if (asked.state === "answered" && asked.answer !== undefined)
    return <Value value={asked.answer} text={undefined} />;
  return (
    <span class="quiet">{asked.state === "waiting" ? "reading the text" : "a text of a large state"}</span>
  );
}

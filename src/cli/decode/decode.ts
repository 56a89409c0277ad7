import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument } from "../../errors.js";
import { command } from "../arguments/command.js";
import { json, revealSecrets, revision, utc } from "../arguments/options.js";
import { MORE } from "../output/limit.js";
import { fieldLines, wrapped } from "../output/lines.js";
import { type Meaning, type MeaningOptions, meaningsOf, readingText } from "./meanings.js";
import { type Reading, readingsOf } from "./readings.js";

/** The most characters of a text. */
const LONGEST = 1024 * 1024;

/** Explains a text. Status 1 if its meaning is unknown, or a signature is wrong. */
export const decode = command({
  words: "decode <text>",
  description: "decode a text: an id, a key, a value, a mask, an invitation, an operation",
  options: { json, utc, revealSecrets, revision },
  help: `The text is hex, base58, base64, JSON or a number; - reads it from stdin. Signatures of invitations and operations are
checked, and so is whether an invitation has expired. The likeliest meaning comes first. No database is opened: names
are not known, and nothing tells whose an id is.

Examples:
  merostore decode 29fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05
  merostore decode DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore decode 5
  merostore show node/data GroupMeta groupId=office --json | merostore decode -

Status 1 if a text has no known reading, or a signature is wrong.`,

  async run(terminal, { text }, options) {
    const typed = text === "-" ? await inputOf(terminal.input()) : text;
    if (typed.length > LONGEST) throw invalidArgument(`a text has at most ${LONGEST} characters`);
    if (typed.trim() === "") {
      terminal.remark(`nothing to decode: ${text === "-" ? "stdin" : "the text"} is empty`);
      return 1;
    }
    const how = { ...options, now: Date.now() };
    let isRight = true;
    for (const one of textsIn(typed)) {
      const readings = readingsOf(one);
      const meanings = likeliest(readings, how);
      for (const meaning of meanings) {
        if (options.json) await terminal.json(meaningJson(meaning));
        else await terminal.lines(linesOf(meaning, terminal.width));
      }
      if (meanings.length === 0) {
        const what = readings.map(readingText).join(", or ") || "no hex, base58, base64 or JSON";
        terminal.remark(`no reading of the text is known: ${what}`);
      }
      isRight &&= meanings.length > 0 && meanings.every(({ isSigned }) => isSigned !== false);
    }
    return isRight ? 0 : 1;
  },
});

/** The texts in the output of a command: its lines, if each is a JSON object. The line `{"$more":true}` is left out. */
function textsIn(typed: string): readonly string[] {
  const lines = typed.trim().split("\n");
  return lines.length > 1 && lines.every((line) => /^\{.*\}\s*$/.test(line))
    ? lines.filter((line) => line.trim() !== MORE)
    : [typed];
}

/** The meanings of the number, and of the first other reading with a meaning. */
function likeliest(readings: readonly Reading[], how: MeaningOptions): readonly Meaning[] {
  const numbers = readings.filter(({ as }) => as === "number").flatMap((one) => meaningsOf(one, how));
  for (const reading of readings) {
    const found = reading.as === "number" ? [] : meaningsOf(reading, how);
    if (found.length > 0) return [...numbers, ...found];
  }
  return numbers;
}

async function inputOf(input: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST) break;
  }
  return text;
}

function linesOf({ text, facts, fields }: Meaning, width: number | undefined): readonly string[] {
  const shown = facts.map(([name, value]) => [`  ${name}`, value] as const);
  const below = fields === undefined ? [] : [["  fields", toJsonLine(fields)] as const];
  return [...wrapped(text, width, 2), ...fieldLines([...shown, ...below], width)];
}

function meaningJson({ text, facts, fields, isSigned }: Meaning): object {
  return {
    text,
    facts: Object.fromEntries(facts),
    ...(fields !== undefined && { fields }),
    ...(isSigned !== undefined && { isSigned }),
  };
}

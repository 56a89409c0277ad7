/** Kinds of options: flags, texts, lists, whole numbers and choices. An option's kind decides the type of its value. */
import { invalidArgument } from "../../errors.js";

/**
 * An option of a command. Its name is the name of its property: the user types `acceptLogLoss` as `--accept-log-loss`.
 */
export interface Option<Value> extends OptionDetails {
  /** The description of the option in the help. */
  readonly description: string;
  /** Stands for the value in the help: `<name>`, or `<names...>` for a list. Absent for a flag. */
  readonly placeholder?: string;
  /** All texts that the option accepts. Absent if `read` alone decides. */
  readonly choices?: readonly string[];
  /** The text for `read` if the user types none. */
  readonly fallback?: string;
  /**
   * Returns the value for the typed texts: no text if the option is absent, one empty text for a flag, several only for
   * a list.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` with a sentence about the text
   */
  read(texts: readonly string[]): Value;
}

/** Details that an option of every kind may have. */
export interface OptionDetails {
  /** The single letter of the option: `o` for `-o`. */
  readonly short?: string;
  /** Names of options that cannot be used together with this one. */
  readonly conflicts?: readonly string[];
  /** True if the option is not in the help of each command, but on a separate page. */
  readonly isShared?: boolean;
}

/** An option without a value. It is true if the user typed it. */
export function flag(description: string, details: OptionDetails = {}): Option<boolean> {
  return { ...details, description, read: (texts) => texts.length > 0 };
}

/** An option with a text. */
export function text(
  placeholder: `<${string}>`,
  description: string,
  details: OptionDetails = {},
): Option<string | undefined> {
  return { ...details, placeholder, description, read: (texts) => texts.at(-1) };
}

/** An option with one or more texts. */
export function texts(
  placeholder: `<${string}...>`,
  description: string,
  details: OptionDetails = {},
): Option<readonly string[] | undefined> {
  return { ...details, placeholder, description, read: (texts) => (texts.length === 0 ? undefined : texts) };
}

/** An option with a whole number from 0 to 10^15 - 1. */
export function wholeNumber(placeholder: `<${string}>`, description: string): Option<number | undefined> {
  return numberOption(placeholder, description, /^[0-9]{1,15}$/, "Write a whole number from 0.");
}

/** An option with a whole number, which may be negative, of at most 15 digits. */
export function signedNumber(placeholder: `<${string}>`, description: string): Option<number | undefined> {
  return numberOption(placeholder, description, /^-?[0-9]{1,15}$/, "Write a whole number.");
}

function numberOption(
  placeholder: string,
  description: string,
  form: RegExp,
  refusal: string,
): Option<number | undefined> {
  const read = (texts: readonly string[]): number | undefined => {
    const typed = texts.at(-1);
    if (typed === undefined) return undefined;
    if (!form.test(typed)) throw invalidArgument(refusal);
    return Number(typed);
  };
  return { placeholder, description, read };
}

/** An option with one of these texts. */
export function choice<const Choice extends string>(
  placeholder: `<${string}>`,
  choices: readonly Choice[],
  description: string,
  details: OptionDetails = {},
): Option<Choice | undefined> {
  const read = (texts: readonly string[]): Choice | undefined => {
    const typed = texts.at(-1);
    return typed === undefined ? undefined : chosen(choices, typed);
  };
  return { ...details, placeholder, description, choices, read };
}

/** An option with one or more of these texts. */
export function choiceList<const Choice extends string>(
  placeholder: `<${string}...>`,
  choices: readonly Choice[],
  description: string,
): Option<readonly Choice[] | undefined> {
  const read = (texts: readonly string[]): readonly Choice[] | undefined =>
    texts.length === 0 ? undefined : texts.map((typed) => chosen(choices, typed));
  return { placeholder, description, choices, read };
}

/** An option with one of these texts, which has a default. */
export function choiceOr<const Choice extends string>(
  placeholder: `<${string}>`,
  choices: readonly Choice[],
  fallback: NoInfer<Choice>,
  description: string,
): Option<Choice> {
  return {
    placeholder,
    description,
    choices,
    fallback,
    read: (texts) => chosen(choices, texts.at(-1) ?? fallback),
  };
}

function chosen<Choice extends string>(choices: readonly Choice[], typed: string): Choice {
  const found = choices.find((one) => one === typed);
  if (found === undefined) throw invalidArgument(`Allowed choices are ${choices.join(", ")}.`);
  return found;
}

/** The question in the address, and how its answer is shown. */
import { addressOf, place } from "../../page/address.js";

/** The forms of an answer. */
export const forms = ["table", "bars", "line"] as const;

/** The address of a question. */
export function askAddress(statement: string, form: string | undefined): string {
  const { of } = place.value.options;
  return addressOf("ask", [], { of, form, sql: statement });
}

/** The option of the address by which all databases are asked at once. */
export const ALL = "all";

/** The present address with some options changed. */
export function answerAddress(changed: Readonly<Record<string, string | undefined>>): string {
  return addressOf("ask", [], { ...place.value.options, ...changed });
}

/** The form of the address. */
export function formOfAddress(): (typeof forms)[number] {
  return forms.find((form) => form === place.value.options.form) ?? "table";
}

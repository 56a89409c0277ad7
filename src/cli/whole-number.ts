/** Numbers as they are typed. */
import { InvalidArgumentError } from "commander";

/** A whole number from 0. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number.");
  return Number(text);
}

/** Docstrings state the sizes of their codecs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Codec } from "../src/codec/index.js";
import * as payloads from "../src/payloads/index.js";
import * as values from "../src/values/index.js";

const root = new URL("../src/", import.meta.url).pathname;
const exported: Readonly<Record<string, unknown>> = { ...values, ...payloads };

interface Stated {
  readonly name: string;
  readonly text: string;
}

/** Every exported codec with the docstring before it. */
function stated(): Stated[] {
  return ["values", "payloads"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("index.ts"))
      .flatMap((file) => {
        const source = readFileSync(join(root, folder, file), "utf8");
        const found = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g);
        return [...found].map(([, text, name]) => ({
          name: name as string,
          text: (text as string).replaceAll(/\s*\n \*\s?/g, " "),
        }));
      }),
  );
}

/** `From 69 bytes`, `16 bytes`, `2, 34 or 66 bytes`, `44 bytes and 32 for each chunk`. */
function sizeOf(text: string): { readonly min: number; readonly max: number | undefined } | undefined {
  const from = /From (\d+) bytes?\b/.exec(text) ?? /(\d+) bytes and \d+ for each/.exec(text);
  if (from !== null) return { min: Number(from[1]), max: undefined };
  const list = /((?:\d+, )*\d+ or )?(\d+) bytes?\b/.exec(text);
  if (list === null) return undefined;
  const numbers = `${list[1] ?? ""}${list[2]}`.match(/\d+/g)?.map(Number) ?? [];
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}

describe("docstrings of codecs", () => {
  const all = stated().filter(({ name }) => exported[name] instanceof Codec);

  it("exist for every exported codec", () => {
    const codecs = Object.entries(exported).filter(([, value]) => value instanceof Codec);
    expect(codecs.map(([name]) => name).filter((name) => !all.some((one) => one.name === name))).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
  });

  it("state the size of the codec", () => {
    const wrong = all.flatMap(({ name, text }) => {
      const { size } = exported[name] as Codec<unknown>;
      const said = sizeOf(text);
      if (said === undefined)
        return size.min === size.max || size.min > 0
          ? [`${name}: no size, is ${size.min} to ${size.max}`]
          : [];
      return said.min === size.min && said.max === size.max
        ? []
        : [`${name}: ${said.min} to ${said.max}, is ${size.min} to ${size.max}`];
    });
    expect(wrong).toEqual([]);
  });
});

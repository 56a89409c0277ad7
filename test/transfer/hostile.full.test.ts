/** Files made to harm their importer: each ends in a named error, in little memory, and leaves nothing. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

const main = fileURLToPath(new URL("../../dist/cli/merostore.js", import.meta.url));
const measure = new URL("../support/peak-memory.mjs", import.meta.url).href;

if (!existsSync(main)) throw new Error("dist/cli/merostore.js is missing: run `npm run build` first");

const MIB = 1024 * 1024;
const MOST_MEMORY = 300 * MIB;

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** A text, alone or with a number of repetitions. */
type Part = string | readonly [text: string, times: number];

/** Writes a packed file; a repeated part costs next to nothing. */
function writePacked(path: string, parts: readonly Part[]): void {
  const file = openSync(path, "w");
  for (const part of parts) {
    const [text, times] = typeof part === "string" ? [part, 1] : part;
    const member = gzipSync(text);
    for (let time = 0; time < times; time++) writeSync(file, member);
  }
  closeSync(file);
}

/** Runs the built program with little memory. */
async function run(...words: readonly string[]) {
  const peakFile = join(folder.path, "peak");
  const child = spawn(process.execPath, ["--max-old-space-size=100", "--import", measure, main, ...words], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, PEAK_MEMORY_FILE: peakFile },
  });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  const [status, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (...ended) => resolve(ended)),
  );
  expect(signal, stderr).toBeNull();
  return {
    status,
    stderr: stderr.replaceAll(/^\w+: [\d,]+ rows.*\n/gm, ""),
    peak: Number(readFileSync(peakFile, "utf8")),
  };
}

const head = (columns: readonly string[]) =>
  `${JSON.stringify({ export: "merostore", version: 1, revision: "core-0.10", columns, time: "2026-01-01T00:00:00.000Z", redacted: false })}\n`;
const meta = (key: string) => `{"column":"Meta","kind":"ContextMeta","key":"${key}"`;
const id = "07".repeat(32);
const block = (text: string) => text.repeat(Math.ceil(MIB / text.length));

const cases: readonly (readonly [what: string, parts: readonly Part[], says: RegExp])[] = [
  ["400 Mi brackets in the first line", [[block("["), 400]], /line 1: .*more than 1048576 bytes/],
  [
    "400 Mi brackets in a row",
    [head(["Meta"]), `${meta(id)},"parts":`, [block("["), 400]],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "400 Mi brackets instead of a row",
    [head(["Meta"]), [block("["), 400]],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "three million names of column families",
    [`{"export":"merostore","columns":["a"`, [block(`,"abcd"`), 20], `]}\n`],
    /line 1: .*more than 1048576 bytes/,
  ],
  [
    "a hundred thousand names of column families",
    [head(Array.from({ length: 100_000 }, (_, index) => `c${index}`))],
    /line 1: it names 100000 column families/,
  ],
  [
    "an object of 20 million fields in a row",
    [head(["Meta"]), `${meta(id)},"decoded":{"a":0`, [block(`,"b":{}`), 140], "}}\n"],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "10 million fields of a row",
    [head(["Meta"]), meta(id), [block(`,"x":[]`), 70], "}\n"],
    /line 2: it has more than 1048576 values/,
  ],
  [
    "a million lists in a row",
    [head(["Meta"]), `${meta(id)},"decoded":[[]`, [",[]".repeat(1000), 500], "]}\n"],
    /line 2: `value` is missing/,
  ],
  [
    "half a million lists in each other",
    [head(["Meta"]), `${meta(id)},"decoded":`, ["[".repeat(1000), 500], ["]".repeat(1000), 500], "}\n"],
    /line 2: `value` is missing/,
  ],
  [
    "a key of 300 MiB",
    [head(["Meta"]), `{"column":"Meta","key":"`, [block("00"), 600], `"}\n`],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "a value of 300 MiB",
    [head(["Meta"]), `${meta(id)},"value":"`, [block("00"), 600], `"}\n`],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "a kind of 300 MiB",
    [head(["Meta"]), `{"column":"Meta","kind":"`, [block("x"), 300], `"}\n`],
    /line 2: it has more than 83886080 bytes/,
  ],
  [
    "a value of 20 MiB",
    [head(["Meta"]), `${meta(id)},"value":"`, [block("00"), 40], `"}\n`],
    /line 2: key and value have more than 16777216 bytes/,
  ],
  [
    "a value of 15 MiB with half a million heads that does not decode",
    [head(["Meta"]), `${meta(id)},"value":"${"00".repeat(64)}0000001e`, [block("00"), 15], `"}\n`],
    /line 2: the value does not decode in core-0\.10/,
  ],
  ["400 Mi empty lines", [head(["Meta"]), [block("\n"), 400]], /line 2: this is not (a )?JSON/],
  [
    "rows that grow a thousandfold",
    [
      head(["Meta"]),
      ...Array.from({ length: 27 }, (_, index): readonly Part[] => [
        `${meta(index.toString(16).padStart(64, "0"))},"value":"00","error":"","decoded":"`,
        [block("x"), 20],
        '"}\n',
      ]).flat(),
    ],
    /unpacks to more than 536,870,912 bytes.*gunzip/,
  ],
];

describe.each(cases)("%s", (_, parts, says) => {
  it("ends the import with a coded error in little memory, and leaves nothing", async () => {
    const file = join(folder.path, "hostile.gz");
    writePacked(file, parts);
    const place = join(folder.path, "place");
    mkdirSync(place, { recursive: true });
    const { status, stderr, peak } = await run("import", file, join(place, "on", "the", "way"));
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(says) });
    expect(stderr.split("\n")).toHaveLength(2);
    expect(readdirSync(place)).toEqual([]);
    expect(peak).toBeLessThan(MOST_MEMORY);
  });
});

describe("diff", () => {
  const some = ["400 Mi brackets in a row", "three million names of column families", "a value of 300 MiB"];
  it.each(cases.filter(([what]) => some.includes(what)))(
    "ends in the same way for %s",
    async (_, parts, says) => {
      const file = join(folder.path, "hostile.gz");
      writePacked(file, parts);
      const { status, stderr, peak } = await run(
        "diff",
        "--rows",
        fixturePath("core-0.10/node-b", "db"),
        file,
      );
      expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(says) });
      expect(peak).toBeLessThan(MOST_MEMORY);
    },
  );
});

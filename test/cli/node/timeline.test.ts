/** The history of a whole node, and the options that leave out a part of a history. */
import { describe, expect, it } from "vitest";
import { spanOf, timeOf, typedSpan } from "../../../src/cli/arguments/moment-text.js";
import { periodOf } from "../../../src/cli/node/period.js";
import { fixturePath, fixtureRows } from "../../support/fixtures.js";
import { cli, expectRefusal, intoPipe, linesOf, played } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a", "db");
const node10 = fixturePath("core-0.10/node-a", "db");

/** The output on a terminal of 130 columns. */
async function seen(...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await played(130, "log", ...words, "--utc");
  expect(status).toBe(0);
  return linesOf(stdout);
}

async function jsonOf(...words: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const lines = linesOf((await intoPipe("log", ...words, "--json")).stdout);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

describe("log without a thing", () => {
  it.each(["core-0.11/node-a", "core-0.10/node-a"])("has all deltas and operations of %s", async (name) => {
    const rows = fixtureRows(name).filter(
      ({ kind }) => kind === "ContextDagDelta" || kind === "NamespaceGovOp",
    );
    const ids = rows.map(({ parts }) => parts?.deltaId);
    const all = await jsonOf(fixturePath(name, "db"));
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it("stands in the order of time, an operation below those that follow it", async () => {
    const all = await jsonOf(nodeA);
    const times = all.flatMap(({ time }) => (typeof time === "number" ? time : []));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const placeOf = (start: string): number => all.findIndex(({ id }) => String(id).startsWith(start));
    // Zoë left office (28) after it was founded.
    expect(placeOf("5b7cf7f6")).toBeLessThan(placeOf("06ffb190"));
  });

  it("says who did what, when and where", async () => {
    const lines = await seen(nodeA, "--until", "2026-11-21T05:51:20Z", "--oneline");
    expect(lines).toContain(
      ' 2026-11-21 05:51:20 UTC  f3f4f524  this node (de2a2d20) set items["a10"] = "first 10", 768 bytes in lobby (b875f1c0)',
    );
    expect(lines).toContain(">2026-11-21 05:51:14 UTC  5b7cf7f6  Zoë (e8e04d8c) left office (fa3977a2)");
    expect(lines).toContain(
      "<2026-11-21 05:51:21 UTC  06ffb190  this node (de2a2d20) founded namespace office (fa3977a2)",
    );
    // Her name went with her account; the operations keep it.
    const [hers] = await seen(nodeA, "--author", "Zoë", "--oneline", "--limit", "1");
    expect(hers).toMatch(/ 67c20d08 {2}Zoë \(e8e04d8c\) set items\["c6"\]/);
    const unknown = (await seen(node10)).filter((line) => line.startsWith(" time unknown"));
    expect(unknown).toHaveLength((await jsonOf(node10)).filter(({ log }) => log !== undefined).length);
  });

  it("ends with the limit, and JSON says so", async () => {
    expect(await seen(nodeA, "--limit", "7", "--oneline")).toHaveLength(7);
    const all = await jsonOf(nodeA);
    expect(await jsonOf(nodeA, "--limit", "7")).toEqual([...all.slice(0, 7), { $more: true }]);
    expect(await jsonOf(nodeA, "--limit", `${all.length}`)).toEqual(all);
  });

  it("names things where one is missing", async () => {
    for (const option of [["--graph"], ["--at", "9"], ["--own"], ["--patch"]]) {
      const { status, stderr } = await cli("log", nodeA, ...option);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        new RegExp(`${option[0]} is about one group or context: name it, .*"office".*"lobby"`),
      );
    }
    expectRefusal(await cli("members", nodeA), 2, /name a namespace or group: .*"office"/);
    expectRefusal(await cli("state", nodeA), 2, /name a context: .*"lobby"/);
    expect((await cli("log", nodeA, "offise")).stderr).toContain('did you mean "office"?');
    expect((await cli("log", nodeA, "zzzz")).stderr).toMatch(/names are .*"office"/);
  });

  it("has the life of an entry in all contexts", async () => {
    expect(await seen(nodeA, "--entry", "items.a10")).toEqual([
      "2026-11-21 05:51:20 UTC  f3f4f524  this node (de2a2d20) in lobby (b875f1c0)",
      '      nothing → "first 10"',
    ]);
    expect((await cli("log", nodeA, "--entry", "nothing.here")).status).toBe(1);
    for (const things of [[], ["office"], ["lobby"]])
      expect(await cli("log", nodeA, ...things, "--since", "2040-01-01")).toMatchObject({
        status: 1,
        stdout: "",
      });
  });
});

describe("--since, --until, --member and --author", () => {
  const LAST = Date.parse("2026-11-21T05:51:29.999Z");

  it.each(["lobby", undefined])("leave out the same with a thing (%s) as without", async (thing) => {
    const words = thing === undefined ? [nodeA] : [nodeA, thing];
    const all = (await jsonOf(...words)).filter(({ time }) => typeof time === "number");
    const some = await jsonOf(
      ...words,
      "--since",
      "2026-11-21 05:51:20 UTC",
      "--until",
      "2026-11-21T05:51:29Z",
    );
    const kept = all.filter(({ time }) => Number(time) >= LAST - 9_999 && Number(time) <= LAST);
    expect(kept.length).toBeGreaterThan(10);
    expect(some.filter(({ time }) => typeof time === "number")).toEqual(kept);
  });

  it("by author shows a member's own operations, without others that name it", async () => {
    const named = await jsonOf(nodeA, "office", "--member", "38ec7407");
    const done = await jsonOf(nodeA, "office", "--author", "38ec7407");
    const own = named.filter(({ actor }) =>
      String((actor as { readonly id: string }).id).startsWith("38ec7407"),
    );
    expect(done).toEqual(own);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThan(named.length);
  });

  it("refuse a text that is not a time", async () => {
    const { status, stderr } = await cli("log", nodeA, "--until", "soon");
    expect(status).toBe(2);
    expect(stderr).toContain("--until takes a date or a time");
  });
});

describe("a time as it is typed", () => {
  const at = (text: string): number => Date.parse(text);

  it.each([
    ["2026-11-21T05:51Z", "2026-11-21T05:51:00.000Z", "2026-11-21T05:51:59.999Z"],
    ["2026-11-21 05:51:14 UTC", "2026-11-21T05:51:14.000Z", "2026-11-21T05:51:14.999Z"],
    ["2026-11-21 06:51:14 +01:00", "2026-11-21T05:51:14.000Z", "2026-11-21T05:51:14.999Z"],
    ["2026-11-21T05:51:14.250Z", "2026-11-21T05:51:14.250Z", "2026-11-21T05:51:14.250Z"],
    ["2026-11-21Z", "2026-11-21T00:00:00.000Z", "2026-11-21T23:59:59.999Z"],
  ])("%s is from %s to %s", (typed, first, last) => {
    expect(spanOf(typed)).toEqual({ first: at(first), last: at(last) });
  });

  it("counts back from now, and four hex digits begin an id", () => {
    const now = Date.parse("2026-11-21T05:51:00Z");
    expect(typedSpan("2d", true, now)).toEqual({ first: now - 172_800_000, last: now - 172_800_000 });
    for (const never of ["2026-02-30", "2026-02-30T10:00Z", "2026-13-01", "2026-11-31"])
      expect(timeOf(never, true, now), never).toBeUndefined();
    expect(timeOf("2028-02-29", true, now)?.toISOString()).toBe("2028-02-29T23:59:59.999Z");
    expect(timeOf("yesterday", true, now)?.toISOString()).toBe("2026-11-20T23:59:59.999Z");
    expect(timeOf("100d", true, now)).toBeUndefined();
  });

  it("is in local time without a zone", () => {
    expect(spanOf("2026-11-21")).toEqual({
      first: new Date(2026, 10, 21).getTime(),
      last: new Date(2026, 10, 22).getTime() - 1,
    });
    expect(spanOf("2026-11-21", true)).toEqual(spanOf("2026-11-21Z"));
    expect(spanOf("2026-13-01")).toBeUndefined();
  });

  it("can be relative", () => {
    const now = at("2026-11-23T12:00Z");
    const period = (since?: string, until?: string) => periodOf({ since, until, utc: true }, now);
    expect(period("2d").since).toBe(at("2026-11-21T12:00Z"));
    expect(period("90m", "1h")).toMatchObject({
      since: at("2026-11-23T10:30Z"),
      until: at("2026-11-23T11:00Z"),
    });
    expect(period("yesterday", "yesterday")).toMatchObject({
      since: at("2026-11-22T00:00Z"),
      until: at("2026-11-22T23:59:59.999Z"),
    });
    expect(period("today").since).toBe(at("2026-11-23T00:00Z"));
    const local = new Date(now);
    local.setHours(0, 0, 0, 0);
    expect(() => period("2026-11-22", "2026-11-21")).toThrow("--since is after --until");
    expect(period("2026-11-21", "2026-11-21").since).toBeDefined();
    expect(periodOf({ since: "today", until: undefined, utc: false }, now).since).toBe(local.getTime());
  });
});

it("says that nothing is newer than a time that is still to come", async () => {
  const found = await cli("log", nodeA, "office", "--since", "9999-01-01");
  expect(found).toMatchObject({ status: 1, stdout: "" });
  expect(linesOf(found.stderr)[0]).toBe("merostore: --since is in the future");
});

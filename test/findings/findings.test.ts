/** The common parts of every verification, with made-up findings. */
import { describe, expect, it } from "vitest";
import {
  addSummaries,
  FindingCounter,
  FindingGroups,
  Findings,
  fails,
  isAtLeast,
  severities,
  total,
} from "../../src/findings/index.js";

describe("severities", () => {
  it("are ordered, the most severe first", () => {
    expect(severities.filter((severity) => isAtLeast(severity, "warning"))).toEqual(["error", "warning"]);
    expect(isAtLeast("info", "info")).toBe(true);
    expect(isAtLeast("warning", "error")).toBe(false);
  });
});

describe("counts", () => {
  it("are those of the findings, and add up", () => {
    const counter = new FindingCounter();
    for (const severity of ["error", "info", "info"] as const) counter.add(severity);
    const counts = counter.counts();
    expect(counts).toEqual({ errors: 1, warnings: 0, infos: 2 });
    expect(total([counts, { errors: 0, warnings: 3, infos: 1 }])).toEqual({
      errors: 1,
      warnings: 3,
      infos: 3,
    });
    expect(total([])).toEqual({ errors: 0, warnings: 0, infos: 0 });
  });

  it("of the same rule add up over several databases", () => {
    const one = { rule: "a", checked: 2, errors: 1, warnings: 0, infos: 0 };
    const sums = addSummaries(addSummaries([], [one]), [one, { ...one, rule: "b" }]);
    expect(sums).toEqual([
      { rule: "a", checked: 4, errors: 2, warnings: 0, infos: 0 },
      { ...one, rule: "b" },
    ]);
  });

  it("fail with errors, and with warnings where that is asked for", () => {
    const none = { errors: 0, warnings: 0, infos: 5 };
    expect([fails(none), fails(none, true)]).toEqual([false, false]);
    expect([fails({ ...none, warnings: 1 }), fails({ ...none, warnings: 1 }, true)]).toEqual([false, true]);
    expect(fails({ ...none, errors: 1 })).toBe(true);
  });
});

describe("groups", () => {
  it("keep the first findings of each rule, the severe ones before others, and count all", () => {
    const groups = new FindingGroups<string>({ most: 2, least: "info" });
    for (const number of [1, 2, 3]) groups.add("calm", "info", () => `info ${number}`);
    for (const number of [1, 2, 3]) groups.add("mixed", "info", () => `info ${number}`);
    groups.add("mixed", "error", () => "error");
    expect(groups.groups()).toEqual([
      {
        rule: "mixed",
        severity: "error",
        items: ["error", "info 1"],
        counts: { errors: 1, warnings: 0, infos: 3 },
      },
      {
        rule: "calm",
        severity: "info",
        items: ["info 1", "info 2"],
        counts: { errors: 0, warnings: 0, infos: 3 },
      },
    ]);
  });

  it("make nothing of findings that are not kept", () => {
    const groups = new FindingGroups<number>({ most: 1, least: "warning" });
    const made: number[] = [];
    for (let number = 0; number < 1000; number++)
      for (const severity of severities) groups.add("rule", severity, () => made.push(number));
    expect(made).toHaveLength(2);
    expect(groups.groups()[0]?.counts).toEqual({ errors: 1000, warnings: 1000, infos: 0 });
  });
});

describe("Findings", () => {
  async function* run(left: () => void = () => undefined): AsyncGenerator<number, string, undefined> {
    try {
      for (const number of [1, 2, 3]) yield number;
      return "done";
    } finally {
      left();
    }
  }

  it("have a summary once they are read, by the caller or by the summary", async () => {
    const read = new Findings(run());
    const numbers: number[] = [];
    for await (const number of read) numbers.push(number);
    expect(numbers).toEqual([1, 2, 3]);
    expect(await read.summary()).toBe("done");
    expect(await new Findings(run()).summary()).toBe("done");
  });

  it("end the verification when the loop is left, and have no summary then", async () => {
    let ended = false;
    const findings = new Findings(
      run(() => {
        ended = true;
      }),
    );
    for await (const _ of findings) break;
    expect(ended).toBe(true);
    await expect(findings.summary()).rejects.toThrow("left before its end");
  });
});

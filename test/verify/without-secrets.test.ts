/** A reader of findings that stops early, or whose database fails, stops the check. */
import { describe, expect, it } from "vitest";
import type { EngineReader } from "../../src/engine/engine.js";
import { MerostoreError } from "../../src/errors.js";
import { core011 } from "../../src/schemas/index.js";
import type { Finding } from "../../src/verify/finding.js";
import { withoutSecrets } from "../../src/verify/without-secrets.js";

/** A check with findings about a column family, which notes its end. */
function checkOf(column: string) {
  let hasEnded = false;
  const finding: Finding = {
    severity: "error",
    rule: "rule",
    column,
    kind: null,
    key: "00",
    message: "message",
  };
  async function* findings(): AsyncGenerator<Finding, string, undefined> {
    try {
      yield finding;
      yield finding;
      return "the result";
    } finally {
      hasEnded = true;
    }
  }
  return { findings: findings(), hasEnded: () => hasEnded };
}

/** A database that cannot be read. */
const failing = {
  columns: ["PrivateState", "State"],
  scan: () => {
    throw new Error("lost");
  },
  get: () => Promise.reject(new Error("lost")),
} as unknown as EngineReader;

it("a finding keeps an id that its key has where damage hides the private entities", async () => {
  const key = "ab".repeat(64);
  const finding = {
    severity: "error",
    rule: "rule",
    column: "Delta",
    kind: null,
    key,
    message: "message",
  } as const;
  async function* findings(): AsyncGenerator<Finding, void, undefined> {
    yield { ...finding, found: "ab".repeat(32), expected: "cd".repeat(32) };
  }
  const damaged = () => {
    throw new MerostoreError("DATABASE_DAMAGED", "damaged");
  };
  const reader = { ...failing, scan: damaged } as unknown as EngineReader;
  const { value } = await withoutSecrets(findings(), reader, core011).next();
  expect(value).toMatchObject({ found: "ab".repeat(32), expected: "redacted" });
});

describe("a check ends", () => {
  it("when its reader breaks off", async () => {
    const check = checkOf("Meta");
    for await (const _ of withoutSecrets(check.findings, failing, core011)) break;
    expect(check.hasEnded()).toBe(true);
  });

  it("when private entities cannot be read", async () => {
    const check = checkOf("State");
    await expect(withoutSecrets(check.findings, failing, core011).next()).rejects.toThrow("lost");
    expect(check.hasEnded()).toBe(true);
  });

  it("by itself, with its result", async () => {
    const check = checkOf("Meta");
    const shown = withoutSecrets(check.findings, failing, core011);
    await shown.next();
    await shown.next();
    expect(await shown.next()).toEqual({ done: true, value: "the result" });
  });
});

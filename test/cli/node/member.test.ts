/** --context, --group and --member: expected rows come from rows.jsonl. */
import { describe, expect, it } from "vitest";
import { type FixtureRow, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { intoPipe, linesOf, played, rowsOf } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");
const all = fixtureRows("core-0.11/node-a");

/** An account that joined office, with its only device and the key that the device signs with. */
const member = "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774";
const binding = all.find(({ kind, value }) => kind === "GroupDeviceBinding" && value?.includes(member));
const device = binding?.parts?.deviceId as string;
const { signPk } = (binding as FixtureRow).decoded as { readonly signPk: string };
const ids = [member, device, signPk];

const expected = all.filter(({ parts }) =>
  Object.values(parts ?? {}).some((part) => ids.includes(part as string)),
);

describe("--member", () => {
  it("selects the rows that name the member, its devices or their keys", async () => {
    expect(new Set(expected.map(({ kind }) => kind))).toContain("GroupDeviceBinding");
    expect(new Set(expected.map(({ kind }) => kind))).toContain("GroupMember");
    for (const typed of [member, "38ec7407", device, signPk]) {
      const found = await intoPipe("scan", db, "--member", typed, "--json");
      expect(rowsOf(found).map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    }
  });

  it("works in export and diff", async () => {
    const exported = linesOf((await intoPipe("export", db, "--member", member, "--without-secrets")).stdout);
    expect(exported.slice(1, -1).map((line) => (JSON.parse(line) as { key: string }).key)).toEqual(
      expected.map(({ key }) => key),
    );
    const same = await intoPipe("diff", "--rows", db, db, "--member", member);
    expect(same).toMatchObject({ status: 0, stdout: `equal: ${expected.length} rows\n` });
  });

  it("ends with status 1 if no row names it", async () => {
    const { status, stderr } = await played(0, "scan", db, "--member", "ab".repeat(32));
    expect(status).toBe(1);
    expect(stderr).toBe(`merostore: no row names the member ${"ab".repeat(32)}\n`);
  });

  it("of log selects what the member did, and operations that name it", async () => {
    const { stdout } = await intoPipe("log", db, "office", "--member", "38ec7407", "--json");
    const texts = linesOf(stdout).map((line) => (JSON.parse(line) as { readonly text: string }).text);
    const whole = linesOf((await intoPipe("log", db, "office", "--json")).stdout);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.length).toBeLessThan(whole.length);
    for (const text of texts) expect(text).toContain(member);
    const newest = await intoPipe("log", db, "office", "--member", "38ec7407", "--json", "--limit", "2");
    expect(linesOf(newest.stdout)).toEqual([...linesOf(stdout).slice(0, 2), '{"$more":true}']);
    const deltas = linesOf((await intoPipe("log", db, "lobby", "--member", "38ec7407", "--json")).stdout);
    expect(deltas.length).toBeGreaterThan(100);
    for (const line of deltas)
      expect((JSON.parse(line) as { readonly author: { readonly id: string } }).author.id).toBe(member);
  });
});

describe("scan --group and --context", () => {
  it("take the rows that name both, and a limit counts them", async () => {
    const group = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
    const named = all.filter(({ parts }) => Object.values(parts ?? {}).includes(group));
    const found = rowsOf(await intoPipe("scan", db, "--group", "office", "--json"));
    expect(found.map(({ key }) => key)).toEqual(named.map(({ key }) => key));
    const three = rowsOf(await intoPipe("scan", db, "--group", "office", "--json", "--limit", "3"));
    expect(three).toEqual([...found.slice(0, 3), { $more: true }]);
    const both = rowsOf(await intoPipe("scan", db, "--group", "office", "--context", "lobby", "--json"));
    expect(both.map(({ kind }) => kind)).toContain("GroupContextIndex");
    expect(both.length).toBeLessThan(found.length);
  });
});

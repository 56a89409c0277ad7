import { expect, it } from "vitest";
import { copyOfDatabase, databases, fixtureRows } from "../support/fixtures.js";
import { cli, linesOf, onTerminal } from "./run.js";

for (const { name, schema } of databases) {
  it(`shows ${name} in a screen and a half`, async () => {
    using copy = copyOfDatabase(name);
    const { status, stdout, stderr } = await onTerminal("tour", copy.path);
    const lines = linesOf(stdout);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines.length).toBeLessThanOrEqual(62);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
    for (const kind of ["ContextMeta", "GroupMember", "GroupKeyEntry"])
      expect(stdout).toMatch(new RegExp(`^  ${kind} `, "m"));
    // Every heading has rows below it.
    expect(stdout).not.toMatch(/\n\n[^\n]+\n\n/);
    const rows = fixtureRows(name);
    const groups = (kind: string) =>
      rows.filter((row) => row.kind === kind).map(({ parts }) => parts?.groupId);
    const logged = groups("GroupOpHead").some((group) => groups("GroupOpLog").includes(group));
    expect(/^ {2}GroupOpLog .*sequence=\d+ /m.test(stdout)).toBe(logged);
    expect(stdout).toContain(`revision  ${schema.name}: `);
  });
}

it("ends with commands that work as printed", async () => {
  using copy = copyOfDatabase("core-0.10/tables");
  const { stdout } = await onTerminal("tour", copy.path);
  const next = linesOf(stdout.slice(stdout.indexOf("\nnext\n") + 6));
  expect(next).toHaveLength(4);
  expect(new Set(next.map((line) => line.indexOf("# "))).size).toBe(1);
  for (const line of next) {
    const [program, ...words] = (line.split("# ")[0] ?? "").trim().split(/ +/);
    expect(program).toBe("merostore");
    expect((await cli(...words)).status, line).toBe(0);
  }
});

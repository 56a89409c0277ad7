/** Questions in SQL that the explorer's page asks of its server. */
import { describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixtures.js";
import { type Explorer, exploring } from "./explorer.js";

const [A, B] = ["core-0.11/node-a/db", "core-0.11/node-b/db"].map((name) => fixturePath(name)) as [
  string,
  string,
];

async function ask(explorer: Explorer, statement?: string) {
  const query = statement === undefined ? "" : `?statement=${encodeURIComponent(statement)}`;
  const { status, body } = await explorer.get(`/api/sql${query}`);
  expect(status).toBe(200);
  return JSON.parse(body.toString());
}

describe("SQL of the explorer", () => {
  it("names the tables, the views first, and answers with columns and rows", async () => {
    await using explorer = await exploring(A);
    const { answer: tables } = await ask(explorer);
    expect(tables[0]).toMatchObject({ name: "groups", isView: true });
    expect(tables.find(({ name }: { name: string }) => name === "ContextMeta").columns[0]).toEqual({
      name: "contextId",
      type: "VARCHAR",
    });
    const { answer } = await ask(
      explorer,
      "select role, count(*) as n from GroupMember group by role order by 1",
    );
    expect(answer).toMatchObject({ isCut: false, undecoded: 0, read: 10 });
    expect(answer.columns.map(({ name }: { name: string }) => name)).toEqual(["role", "n"]);
    expect(answer.rows.length).toBeGreaterThan(0);
  });

  it("tells databases apart by their names", async () => {
    await using explorer = await exploring(A, B);
    const { answer } = await ask(
      explorer,
      "select node, count(*) from ContextMeta group by node order by node",
    );
    expect(answer.rows.map(([node]: [string]) => node)).toEqual(["node-a", "node-b"]);
  });

  it("says why a statement has no answer, and goes on", async () => {
    await using explorer = await exploring(A);
    for (const statement of [
      "selec 1",
      "select * from nothing",
      "select * from read_csv('/etc/passwd')",
      "set memory_limit='9GB'",
    ]) {
      const { failure, answer } = await ask(explorer, statement);
      expect(answer, statement).toBeUndefined();
      expect(failure, statement).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect((await ask(explorer, "select count(*) from ContextMeta")).answer.rows).toEqual([[7]]);
  });

  it("ends a question whose client has gone, and answers the next one", async () => {
    await using explorer = await exploring(A);
    const gone = new AbortController();
    const long = "select count(*) from range(1000000000) a, range(1000000000) b";
    const asked = fetch(`${explorer.origin}/api/sql?statement=${encodeURIComponent(long)}`, {
      headers: { "x-merostore-token": explorer.token },
      signal: gone.signal,
    });
    setTimeout(() => gone.abort(), 300);
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect((await ask(explorer, "select count(*) from ContextMeta")).answer.rows).toEqual([[7]]);
  });

  it("cuts a long answer, and says so", async () => {
    await using explorer = await exploring(A);
    const { answer } = await ask(explorer, "select * from range(20000)");
    expect(answer.rows).toHaveLength(10_000);
    expect(answer.isCut).toBe(true);
  });

  it("asks one of several databases, or all", async () => {
    await using explorer = await exploring(A, B);
    const asked = async (query: string) =>
      JSON.parse(
        (
          await explorer.get(
            `/api/sql?statement=${encodeURIComponent("select count(*) from deltas")}${query}`,
          )
        ).body.toString(),
      );
    const count = async (query: string) => Number((await asked(query)).answer.rows[0][0]);
    const [a, b] = [await count("&database=0"), await count("&database=1")];
    expect(a).toBeGreaterThan(b);
    expect(await count("")).toBe(a + b);
    expect((await asked("&database=2")).failure).toEqual({
      code: "INVALID_ARGUMENT",
      message: "there are 2 databases, and none at 2",
    });
  });

  it("shows no secret, and nothing without the token", async () => {
    await using explorer = await exploring(A);
    const { answer } = await ask(explorer, "select privateKey, publicKey from NodeIdentity");
    expect(answer.rows[0][0]).toBeNull();
    expect((await explorer.get("/api/sql", { "x-merostore-token": undefined })).status).toBe(403);
    for (const query of ["?statement=%", "?other=1", "?statement=a&b=c", "?statement=a&database=x"])
      expect((await explorer.get(`/api/sql${query}`)).status, query).toBe(404);
  });
});

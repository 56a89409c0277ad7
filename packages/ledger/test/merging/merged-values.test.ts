/** New values of a merge: streams and references, refused values, and leftovers. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type Conflict, type Ledger, memoryPlace, type ValueReference } from "../../src/index.js";
import { noise } from "../inputs.js";
import { faultsOf, readTidied } from "../stored.js";
import { begin, contents, testLedger, text, twoOf } from "../support.js";
import { diverge } from "./support.js";

/** Resolves all conflicts with a function. */
function resolving(ledger: Ledger, resolve: (conflict: Conflict) => Promise<void>): void {
  ledger.setConflictResolver(() => ({ policy: "custom", resolve }));
}

/** A stream that tells when it was ended. */
function stream(...chunks: readonly (Uint8Array | Error)[]) {
  const seen = { ended: false };
  async function* values(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        yield chunk;
      }
    } finally {
      seen.ended = true;
    }
  }
  const iterator = values();
  const end = iterator.return.bind(iterator);
  iterator.return = (value) => {
    seen.ended = true;
    return end(value);
  };
  return { values: iterator, seen };
}

describe("a new value of a merge", () => {
  it("may be a stream, of both sides for example, and of any length", async () => {
    const place = memoryPlace();
    const [older, newer] = [noise(700_000, 1), noise(900_000, 2)];
    {
      await using ledger = await testLedger({}, place);
      resolving(ledger, async (conflict) => {
        async function* both() {
          yield* conflict.older.stream("log");
          yield* conflict.newer.stream("log");
        }
        await conflict.merge([
          { key: "log", use: "new", value: both(), priority: "lazy" },
          { key: "text", use: "new", value: "merged" },
        ]);
      });
      const [first, second] = await twoOf(ledger);
      const tx1 = await begin(first);
      const tx2 = await begin(second);
      await tx1.put("log", older);
      await tx2.put("log", newer);
      await tx1.commit();
      await tx2.commit();
      await first.waitForConflictResolution();
      const merged = (await first.get("log")) as Uint8Array;
      expect(Buffer.compare(merged, Buffer.concat([older, newer]))).toBe(0);
      expect(text((await first.get("text")) as Uint8Array)).toBe("merged");
    }
    expect(faultsOf(await readTidied(place))).toEqual([]);
  });

  it("may be a reference, also when the connection that made it is closed", async () => {
    await using ledger = await testLedger();
    const value = "a value of more than 32 bytes, which has a row of its own";
    const keeper = await ledger.rootPage();
    const reference = await keeper.createReference(value);
    resolving(ledger, async (conflict) => {
      await conflict.merge([
        { key: "eager", use: "reference", reference },
        { key: "lazy", use: "reference", reference, priority: "lazy" },
      ]);
      await keeper.close();
    });
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ b: "2", eager: value, lazy: value });
  });
});

describe("a call that is rejected", () => {
  it.each<[string, () => unknown, object]>([
    ["a stream fails", () => stream(noise(100, 3), new Error("torn")).values, { message: "torn" }],
    ["a stream has no bytes", () => stream("text" as never).values, { code: "INVALID_ARGUMENT" }],
    ["a value is none", () => 7, { code: "INVALID_ARGUMENT" }],
  ])("has no effect, and destroys its streams: %s", async (_, bad, error) => {
    const place = memoryPlace();
    {
      await using ledger = await testLedger({}, place);
      const others = [stream(noise(100_000, 4)), stream(noise(100, 5))] as const;
      const refused: unknown[] = [];
      resolving(ledger, async (conflict) => {
        const entries = [
          { key: "first", use: "new", value: others[0].values },
          { key: "second", use: "older" },
          { key: "bad", use: "new", value: bad() },
          { key: "last", use: "new", value: others[1].values },
        ];
        refused.push(await conflict.merge(entries as never).catch((cause: unknown) => cause));
      });
      const [page] = await diverge(ledger, { second: "1" }, { b: "2" });
      await page.waitForConflictResolution();
      expect(refused).toMatchObject([error]);
      expect(await contents(page)).toEqual({ b: "2" });
      expect(others.map(({ seen }) => seen.ended)).toEqual([true, true]);
    }
    expect(faultsOf(await readTidied(place))).toEqual([]);
  });

  it("for a reference of another page", async () => {
    await using ledger = await testLedger();
    await using elsewhere = await ledger.createPage();
    const reference = await elsewhere.createReference("value");
    const given = stream(noise(10, 6));
    const refused: unknown[] = [];
    resolving(ledger, async (conflict) => {
      for (const bad of [reference, {}, undefined, "value"])
        refused.push(
          await rejection(
            conflict.merge([
              { key: "a", use: "new", value: given.values },
              { key: "b", use: "reference", reference: bad as ValueReference },
            ]),
            "INVALID_ARGUMENT",
          ),
        );
    });
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(refused).toHaveLength(4);
    expect(given.seen.ended).toBe(true);
    expect(await contents(page)).toEqual({ b: "2" });
  });
});

it("a stream that is still read when its conflict is resolved ends, and leaves nothing behind", async () => {
  const place = memoryPlace();
  {
    await using ledger = await testLedger({}, place);
    let ended = false;
    let late: Promise<unknown> | undefined;
    resolving(ledger, async (conflict) => {
      async function* endless() {
        try {
          for (let at = 0; ; at++) {
            yield noise(20_000, at);
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          ended = true;
        }
      }
      late ??= rejection(
        conflict.merge([
          { key: "kept", use: "new", value: "a value that nobody will ever put anywhere else" },
          { key: "endless", use: "new", value: endless() },
        ]),
        "ILLEGAL_STATE",
      );
      await new Promise((resolve) => setImmediate(resolve));
    });
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    await late;
    expect(ended).toBe(true);
    expect(await contents(page)).toEqual({ b: "2" });
  }
  expect(faultsOf(await readTidied(place))).toEqual([]);
});

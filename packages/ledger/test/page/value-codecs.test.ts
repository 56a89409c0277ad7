/** Values that are texts or JSON, or that a codec makes of bytes. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { exportEntries, importEntries, type Ledger, type ValueCodec } from "../../src/index.js";
import { testLedger, text } from "../support.js";

/** Whole numbers, in one byte each. */
const numbers: ValueCodec<number> = {
  encode(value) {
    if (value > 255) throw new RangeError("more than a byte");
    return Uint8Array.of(value);
  },
  decode(bytes) {
    if (bytes.length !== 1) throw new RangeError("not one byte");
    return bytes[0] as number;
  },
};

/** The stored bytes of the root page, by key. */
async function stored(ledger: Ledger): Promise<Record<string, string>> {
  await using page = await ledger.rootPage();
  const entries = await page.entries().toArray();
  return Object.fromEntries(
    entries.map(({ key, value }) => [text(key), Buffer.from(value ?? []).toString("hex")]),
  );
}

const hex = (value: string): string => Buffer.from(value).toString("hex");

describe("values in a form", () => {
  it.each<["text" | "json" | typeof numbers, unknown, string]>([
    ["text", "zoë\uFEFF", hex("zoë\uFEFF")],
    ["text", "\uFEFFzoë", hex("\uFEFFzoë")],
    ["text", "", ""],
    ["json", { name: "Zoë", tags: [1, null] }, hex('{"name":"Zoë","tags":[1,null]}')],
    ["json", null, hex("null")],
    ["json", "\uD800", hex('"\\ud800"')],
    [numbers, 7, "07"],
  ])(
    "%j: every reading returns what was put, and stored are the bytes of the codec",
    async (form, value, bytes) => {
      await using ledger = await testLedger();
      await using page = await ledger.rootPage<typeof form | ValueCodec<unknown>>({ values: form });
      const told: unknown[] = [];
      await using snapshot = await page.snapshot({
        watch: async ({ changed, snapshot }) => {
          await using after = await snapshot();
          told.push(...changed.map(({ value }) => value), await after.get("a"));
        },
      });
      await page.put("a", value);
      expect(await page.get("a")).toEqual(value);
      expect((await page.entries().toArray()).map(({ value }) => value)).toEqual([value]);
      await page.transaction(async (tx) => {
        await tx.put("b", value);
        expect(await tx.get("b")).toEqual(value);
        expect((await tx.entries({ reverse: true }).toArray()).map(({ value }) => value)).toEqual([
          value,
          value,
        ]);
      });
      await snapshot.watcher.idle();
      expect(told.slice(0, 2)).toEqual([value, value]);
      await using now = await page.snapshot();
      expect((await now.entriesPart()).items.map(({ value }) => value)).toEqual([value, value]);
      const [head] = await page.heads();
      await using then = await page.snapshotAt(head?.id ?? "");
      expect(await then.get("b")).toEqual(value);
      expect(await stored(ledger)).toEqual({ a: bytes, b: bytes });
      // Bytes stay bytes.
      expect(Buffer.from((await now.getPartial("a", 0, -1)) ?? []).toString("hex")).toBe(bytes);
    },
  );

  it("a new page takes it too", async () => {
    await using ledger = await testLedger();
    await using page = await ledger.createPage({ values: "json" });
    await page.put("a", [1]);
    await using again = await ledger.page(page.id, { values: "text" });
    expect(await again.get("a")).toBe("[1]");
  });

  it("an export and an import keep the bytes", async () => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage({ values: numbers });
    await page.put("a", 7);
    await using snapshot = await page.snapshot();
    await using copy = await ledger.createPage();
    await importEntries(copy, exportEntries(snapshot));
    expect(await copy.get("a")).toEqual(Uint8Array.of(7));
  });
});

describe("a value that does not decode", () => {
  it.each<["text" | "json" | typeof numbers, string, Uint8Array, unknown]>([
    ["text", 'the value at the key "m" is not a text in UTF-8', Uint8Array.of(0xff), "sound"],
    ["json", 'the value at the key "m" is not JSON', Buffer.from('{"secret":'), "sound"],
    [numbers, 'the codec does not decode the value at the key "m"', Uint8Array.of(1, 2), 9],
  ])(
    "%j: the error names its key, and the entries before it come first",
    async (form, message, bytes, sound) => {
      await using ledger = await testLedger();
      await using page = await ledger.rootPage<typeof form | ValueCodec<unknown>>({ values: form });
      await using raw = await ledger.rootPage();
      using watcher = await page.watch({}, () => undefined);
      await page.put("a", sound);
      await watcher.idle();
      await page.put("z", sound);
      await raw.put("m", bytes);
      const failure = { code: "DECODE_FAILED", message };
      expect(await rejection(page.get("m"), "DECODE_FAILED")).toMatchObject(failure);
      const found: string[] = [];
      const reading = async (): Promise<void> => {
        for await (const { key } of page.entries()) found.push(text(key));
      };
      expect(await rejection(reading(), "DECODE_FAILED")).toMatchObject(failure);
      expect(found).toEqual(["a"]);
      // The reading goes on behind it; keys need no values.
      expect((await page.entries({ after: "m" }).toArray()).map(({ value }) => value)).toEqual([sound]);
      expect(await page.count()).toBe(3);
      expect(await rejection(watcher.idle(), "DECODE_FAILED")).toMatchObject(failure);
    },
  );

  it("names a key that is not text in hex, and quotes nothing of the value", async () => {
    await using ledger = await testLedger();
    await using raw = await ledger.rootPage();
    await raw.put(Uint8Array.of(0xff, 0), "secret");
    await using page = await ledger.rootPage({ values: "json" });
    const error = await rejection(page.get(Uint8Array.of(0xff, 0)), "DECODE_FAILED");
    expect(error.message).toBe("the value at the key 0xff00 is not JSON");
    expect(error.cause).toBeUndefined();
  });
});

describe("a value that the form does not take", () => {
  it.each<["text" | "json" | typeof numbers, unknown, "INVALID_ARGUMENT" | "ENCODE_FAILED"]>([
    ["text", 7, "INVALID_ARGUMENT"],
    ["text", Uint8Array.of(1), "INVALID_ARGUMENT"],
    ["text", "\uD800", "INVALID_ARGUMENT"],
    ["json", undefined, "INVALID_ARGUMENT"],
    ["json", Uint8Array.of(1), "INVALID_ARGUMENT"],
    ["json", Float64Array.of(1), "INVALID_ARGUMENT"],
    ["json", new ArrayBuffer(1), "INVALID_ARGUMENT"],
    ["json", 7n, "ENCODE_FAILED"],
    [numbers, 256, "ENCODE_FAILED"],
  ])("%j, %s: nothing is put", async (form, value, code) => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage<typeof form | ValueCodec<unknown>>({ values: form });
    await rejection(page.put("a", value), code);
    expect(await page.count()).toBe(0);
  });

  it("a stream is destroyed", async () => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage({ values: "json" });
    let isDestroyed = false;
    const stream = (async function* () {
      yield new Uint8Array(1);
    })();
    const destroy = (): void => {
      isDestroyed = true;
    };
    const value = Object.assign(stream, { destroy });
    await rejection(page.put("a", value), "INVALID_ARGUMENT");
    expect(isDestroyed).toBe(true);
  });

  it("bytes in a page of JSON are named, also those of an exported page", async () => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage({ values: "json" });
    const { message } = await rejection(page.put("a", Uint8Array.of(1)), "INVALID_ARGUMENT");
    expect(message).toBe("JSON cannot have bytes as a value");
    expect(() => exportEntries(page as never)).toThrow("exportEntries takes a snapshot of a page");
  });

  it("values within others that JSON would lose", async () => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage({ values: "json" });
    const refused = [
      [new Map([["a", 1]]), "a Map"],
      [{ tags: new Set(["a"]) }, "a Set"],
      [[Uint8Array.of(1)], "bytes"],
      [Buffer.from("a"), "bytes"],
      [{ share: Number.NaN }, "NaN"],
    ] as const;
    for (const [value, what] of refused) {
      const { message } = await rejection(page.put("a", value), "INVALID_ARGUMENT");
      expect(message).toBe(`JSON cannot have ${what} as a value`);
    }
    expect(await page.count()).toBe(0);
    await page.put("a", { at: new Date(0), none: undefined });
    expect(await page.get("a")).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });

  it("a codec that returns no bytes, and an option that is not a form", async () => {
    await using ledger = await testLedger();
    const broken = { encode: () => "text", decode: () => 7 };
    await using page = await ledger.rootPage({ values: broken as unknown as ValueCodec<number> });
    await rejection(page.put("a", 7), "ENCODE_FAILED");
    for (const values of ["yaml", null, {}, { encode: () => new Uint8Array(0) }])
      await rejection(ledger.rootPage({ values: values as "text" }), "INVALID_ARGUMENT");
  });
});

/** Events of deltas: real ones, and malformed ones. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { eventToJson, parseEvents } from "../../src/node/history/events.js";
import { CalimeroNode, type Delta, deltaToJson } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The deltas of all contexts of a fixture that have events. */
async function emitted(name: string): Promise<readonly Delta[]> {
  await using store = await openStore(fixturePath(name, "db"));
  const node = new CalimeroNode(store);
  const found: Delta[] = [];
  for (const { context } of await node.contexts())
    for await (const delta of node.deltas(context.id)) if (delta.events.length > 0) found.push(delta);
  return found;
}

describe("events of real nodes", () => {
  it("of core-0.11 have names and payloads", async () => {
    const deltas = await emitted("core-0.11/node-b");
    expect(deltas.map((delta) => deltaToJson(delta).events)).toEqual([
      [{ name: "Inserted", handler: null, payload: { key: "a30", value: "first 30" } }],
    ]);
    expect(deltas[0]?.events[0]).toMatchObject({
      name: "Inserted",
      json: '{"key":"a30","value":"first 30"}',
    });
  });

  it("of core-0.10 have names and payloads", async () => {
    const deltas = await emitted("core-0.10/node-b");
    const texts = deltas.map(({ events }) =>
      typeof events === "string" ? events : events.map(({ name, json }) => `${name} ${json}`).join(),
    );
    expect(texts.sort()).toEqual([
      ...["d2", "d3", "d4", "d5", "d6"].map((key) => `Inserted {"key":"${key}","value":"x"}`),
      'Removed {"key":"a5"}',
    ]);
  });

  it("with arbitrary bytes are shown as hex", async () => {
    const lists = (await emitted("core-0.11/log")).map((delta) => deltaToJson(delta).events);
    expect(lists).toEqual([
      [
        { name: "Ev", handler: "on_ev", bytes: toHex(utf8("abc")) },
        { name: "Ünïcode", handler: null, payload: null },
      ],
    ]);
  });
});

describe("a list of events", () => {
  it.each([
    ["no JSON", "["],
    ["no list", "{}"],
    ["an event without data", '[{"kind":"E","handler":null}]'],
    ["a name that is a number", '[{"kind":1,"data":[]}]'],
    ["a byte of 256", '[{"kind":"E","data":[256]}]'],
    ["a byte of 0.5", '[{"kind":"E","data":[0.5]}]'],
    ["null", "[null]"],
  ])("with %s cannot be read", (_, text) => {
    expect(parseEvents(utf8(text))).toBeUndefined();
  });

  it("that is not UTF-8 cannot be read", () => {
    expect(parseEvents(Uint8Array.of(0x5b, 0xff, 0x5d))).toBeUndefined();
  });

  it("keeps numbers that JavaScript would round", () => {
    const text = '{"amount":18446744073709551615}';
    const list = JSON.stringify([{ kind: "Paid", data: [...utf8(text)] }]);
    const [event] = parseEvents(utf8(list)) ?? [];
    expect(event && eventToJson(event)).toEqual({ name: "Paid", handler: null, text });
  });
});

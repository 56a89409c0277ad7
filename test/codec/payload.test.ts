/** The JSON form of payloads gives the same bytes again, and shows no secret. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import {
  bytes,
  type Codec,
  fixedBytes,
  JsonText,
  names,
  option,
  Payload,
  payload,
  secret,
  str,
  struct,
  u8,
  u64,
} from "../../src/codec/index.js";

const Key = struct("Key", { key: secret(fixedBytes(2)), number: u8 });

describe("the JSON form of a payload", () => {
  it.each<[string, Codec<unknown>, unknown]>([
    ["a number with an even number of digits", u64, 4_294_967_295n],
    ["a number with an odd number of digits", u64, 1n],
    ["a text of hex digits", str, "abcd"],
    ["another text", str, "żółw"],
    ["a name", names("Name", ["ab", "cd"]), "cd"],
    ["bytes", fixedBytes(2), Uint8Array.of(1, 2)],
    ["a text that may be missing", option(str), "ab"],
    ["no text", option(str), null],
    ["a number", u8, 7],
    ["an object", Key, { key: Uint8Array.of(1, 2), number: 3 }],
    ["a payload", payload(bytes, u64), Payload.of(u64, 12n)],
  ])("is read as the same bytes: %s", (_, codec, value) => {
    const outer = payload(bytes, codec);
    const given = Payload.of(codec, value);
    const json = outer.toJson(given);
    expect(toHex(outer.fromJson(JSON.parse(JSON.stringify(json))).bytes)).toBe(toHex(given.bytes));
    const text = new JsonText({}, 16);
    expect(outer.decodeAsText(outer.encode(given), text)).toBe(true);
    expect(new TextDecoder().decode(text.finish())).toBe(JSON.stringify(json));
  });

  it.each<[string, Codec<unknown>, Uint8Array, unknown]>([
    ["is shown with its other fields", Key, Uint8Array.of(1, 2, 3), { key: "redacted", number: 3 }],
    ["is not shown in bytes that do not decode", Key, Uint8Array.of(1, 2), "redacted"],
    ["is not shown as text", secret(str), str.encode("secret"), "redacted"],
    ["may be missing", option(secret(str)), Uint8Array.of(0), null],
    ["is not shown in a payload", payload(bytes, Key), Uint8Array.of(1, 0, 0, 0, 9), "redacted"],
  ])("a secret %s", (_, codec, stored, expected) => {
    const outer = payload(bytes, codec);
    const options = { redactSecrets: true };
    const encoded = bytes.encode(stored).slice();
    expect(outer.toJson(outer.decode(encoded), options)).toEqual(expected);
    const text = new JsonText(options, 16);
    expect(outer.decodeAsText(encoded, text)).toBe(true);
    expect(new TextDecoder().decode(text.finish())).toBe(JSON.stringify(expected));
  });

  it("is not null in an option, where null stands for none", () => {
    expect(() => option(payload(bytes, option(u8)))).toThrow("null would stand for none");
  });
});

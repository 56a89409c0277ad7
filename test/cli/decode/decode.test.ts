/** `decode`: the meanings of a text. */
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { derivePublicKey, sign } from "../../../src/crypto/index.js";
import { invitationDigest011 } from "../../../src/digests/index.js";
import { SignedGroupOpenInvitation011 } from "../../../src/payloads/index.js";
import { fixtureRows } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf } from "../run.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";

const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

interface Shown {
  readonly text: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly fields?: unknown;
  readonly isSigned?: boolean;
}

async function meanings(text: string): Promise<readonly Shown[]> {
  const { stdout } = await intoPipe("decode", text, "--json", "--utc");
  return linesOf(stdout).map((line) => JSON.parse(line) as Shown);
}

const rowOf = (kind: string) => {
  const row = fixtureRows("core-0.11/node-a").find((one) => one.kind === kind);
  if (row === undefined) throw new Error(`no row ${kind}`);
  return row;
};

it.each([LOBBY, `0x${LOBBY}`, toBase58(fromHex(LOBBY)), base64(LOBBY), `"${LOBBY}",`])(
  "%s is an id, in whatever encoding",
  async (text) => {
    const [found, ...others] = await meanings(text);
    expect(found?.text).toMatch(/^an id, a public key or a hash/);
    expect(found?.facts).toEqual({ hex: LOBBY, base58: toBase58(fromHex(LOBBY)) });
    expect(others).toEqual([]);
  },
);

it("numbers are masks of capabilities, in decimal and in hex", async () => {
  for (const text of ["5", "0x5"])
    expect((await meanings(text))[0]).toMatchObject({
      text: "a mask of capabilities, 5 or 0x5",
      facts: { "in a group": "CAN_CREATE_CONTEXT, CAN_JOIN_OPEN_SUBGROUPS" },
    });
});

it.each([
  ["1763704310", "seconds"],
  ["1763704310123", "milliseconds"],
  ["1763704310123456", "microseconds"],
  ["1763704310123456789", "nanoseconds"],
  ["7575052332337987584", "2^-32 seconds (NTP64, of a hybrid clock)"],
])("%s is a time in %s", async (text, unit) => {
  const found = await meanings(text);
  expect(found.map(({ text: says }) => says)).toEqual([
    `a time in ${unit} since 1970: 2025-11-21 05:51:50 UTC`,
  ]);
});

it.each([
  ["since core-1.0", 16],
  ["before core-1.0", 24],
])("reads the time of a clock %s, whose id is never 0", async (when, length) => {
  const clock = Buffer.alloc(length);
  clock.writeBigUInt64LE(7575052332337987584n);
  const isClock = async () =>
    (await meanings(clock.toString("hex"))).some(({ text }) => text.includes("hybrid clock"));
  expect(await isClock()).toBe(false);
  clock[8] = 0xab;
  expect((await meanings(clock.toString("hex")))[0]).toEqual({
    text: `possibly a time of a hybrid clock ${when}: 2025-11-21 05:51:50 UTC`,
    facts: { UTC: "2025-11-21T05:51:50.250Z", NTP64: "7575052332337987584", clock: "ab" },
  });
  clock.writeBigUInt64LE(3600n << 32n);
  expect(await isClock()).toBe(false);
});

it("a time of a clock is the last meaning: random bytes often are one", async () => {
  const name = Buffer.from("....Node of Zoe!");
  name.writeUInt32LE(12);
  const found = (await meanings(name.toString("hex"))).map(({ text }) => text);
  expect(found.length).toBeGreaterThan(1);
  expect(found.map((text) => text.startsWith("possibly a time of a hybrid clock"))).toEqual([
    ...found.slice(1).map(() => false),
    true,
  ]);
});

it("says of an empty text that it is empty", async () => {
  const { status, stdout, stderr } = await cli("decode", " ");
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining("is empty")]);
});

it("a number is not also a byte in base58", async () => {
  expect((await meanings("9")).map(({ text }) => text)).toEqual(["a mask of capabilities, 9 or 0x9"]);
});

it("keys are recognised without their column family", async () => {
  expect(await meanings(`29${OFFICE}`)).toEqual([
    { text: expect.stringContaining("the key of a GroupDefaultCaps"), facts: { groupId: OFFICE } },
  ]);
});

it("a key with a byte that has no known meaning comes after all others", async () => {
  const { key } = rowOf("GroupMember");
  const kinds = (await meanings(key)).map(({ text }) => /^the key of a (\w+)/.exec(text)?.[1]);
  expect(kinds).toContain("ContextState");
  expect(kinds[0]).toBe("GroupMember");
});

it("a key of no fixed size is recognised if few bytes are one", async () => {
  const row = fixtureRows("core-1.0/every-kind").find(({ kind }) => kind === "SearchIndex");
  const [found] = await meanings(row?.key ?? "");
  expect(found).toMatchObject({
    text: expect.stringContaining("the key of a SearchIndex"),
    facts: { file: "posts/meta.json#0" },
  });
});

it("the value of a delta has its fields", async () => {
  const { value, parts } = rowOf("ContextDagDelta");
  const [found] = await meanings(value);
  expect(found?.text).toMatch(/a value ContextDagDelta of core-1\.0 or core-0\.11\. A causal delta/);
  expect(found?.fields).toMatchObject({ deltaId: parts?.deltaId });
});

it("a row in JSON is a row", async () => {
  const [found] = await meanings(JSON.stringify(rowOf("GroupMeta")));
  expect(found?.text).toContain("a row GroupMeta of core-1.0 or core-0.11. ");
});

it("the lines of a command are rows, each of the revision that is named", async () => {
  const rows = ["GroupMeta", "ContextDagDelta"].map((kind) => JSON.stringify(rowOf(kind)));
  const { status, stdout } = await cli(
    "decode",
    [...rows, '{"$more":true}', ""].join("\n"),
    "--revision",
    "core-0.11",
  );
  expect(status).toBe(0);
  expect(linesOf(stdout).filter((line) => line.startsWith("a row"))).toEqual([
    expect.stringContaining("a row GroupMeta of core-0.11. "),
    expect.stringContaining("a row ContextDagDelta of core-0.11. "),
  ]);
});

describe("operations", () => {
  it.each(["NamespaceGovOp", "GroupOpLog"])("of %s are put into words", async (kind) => {
    const [found] = await meanings(rowOf(kind).value);
    expect(found?.text).toMatch(/^a (?:namespace|group) operation of core-1\.0(?: or core-0\.11)?: /);
    expect(found?.facts.signature).toMatch(/ by [0-9a-f]{64}$/);
  });

  it("have the id of their row, and a signature that is checked", async () => {
    const { value, parts } = rowOf("NamespaceGovOp");
    const [found] = await meanings(value);
    expect(found).toMatchObject({ isSigned: true, facts: { id: parts?.deltaId } });
    expect(found?.text).toMatch(/^a namespace operation of core-1\.0 or core-0\.11: /);
    const operation = value.slice(10);
    const changed = operation.slice(0, -2) + (operation.endsWith("00") ? "01" : "00");
    const wrong = await cli("decode", changed);
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain("WRONG");
  });
});

describe("invitations", () => {
  const seed = new Uint8Array(32).fill(7);
  const signer = derivePublicKey(seed);

  function invitation(expires: bigint) {
    const invited = {
      inviterIdentity: signer,
      groupId: fromHex(OFFICE),
      expirationTimestamp: expires,
      invitationNonce: new Uint8Array(32).fill(9),
      invitedRole: 2,
    };
    const inviterSignature = toHex(sign(seed, invitationDigest011(invited)));
    return { invitation: invited, inviterSignature, inviterAccount: null, applicationId: null, appKey: null };
  }

  it.each([
    ["hex", (bytes: Uint8Array) => toHex(bytes)],
    ["base58", (bytes: Uint8Array) => toBase58(bytes)],
    ["base64", (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")],
  ])("in %s have role, group and expiry", async (_, encoded) => {
    const bytes = SignedGroupOpenInvitation011.encode(invitation(1_500_000_000n));
    expect(await meanings(encoded(bytes))).toMatchObject([
      {
        text: `an invitation of core-0.11: key ${toHex(signer)} invites into group ${OFFICE} as ReadOnly`,
        facts: { signature: `right by ${toHex(signer)}`, expires: "2017-07-14 02:40:00 UTC, it has expired" },
        isSigned: true,
      },
    ]);
  });

  it("in the JSON of a node are checked too", async () => {
    const { invitation: invited, inviterSignature } = invitation(0n);
    const json = (role: number): string =>
      JSON.stringify({
        data: {
          invitation: {
            inviter_identity: [...invited.inviterIdentity],
            group_id: toBase58(invited.groupId),
            expiration_timestamp: 0,
            invitation_nonce: [...invited.invitationNonce],
            invited_role: role,
          },
          inviter_signature: inviterSignature,
        },
      });
    expect(await meanings(json(2))).toMatchObject([{ isSigned: true, facts: { expires: "never" } }]);
    expect((await cli("decode", json(0))).status).toBe(1);
  });
});

it("a text without a known reading ends with status 1", async () => {
  for (const text of ["hello", "", "{}", "[1, 2]", "ff"])
    expect(await cli("decode", text), text).toMatchObject({ status: 1, stdout: "" });
  expect((await cli("decode", "hello")).stderr).toContain("no reading of the text is known");
});

it("the first digits of an id have the command that says whose they are", async () => {
  const { stdout } = await cli("decode", "b875f1c0");
  expect(stdout).toMatch(/^the first digits of an id, or of a hash; "merostore show DB b875f1c0" says/);
  expect(stdout).not.toContain("mask");
});

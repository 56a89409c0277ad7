/** The findings of verification in converted databases: only parts that the conversion cannot carry over. */
import { expect, it } from "vitest";
import { openStore } from "../../src/store/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { conversion, type Name } from "./support.js";

type Counts = Readonly<Record<string, number>>;

/** The findings in the old databases: missing applications, lost contexts, a fetched module. */
const already: Readonly<Record<Name, Counts>> = {
  tables: { "application-blobs infos": 2, "context-application warnings": 1, "left-behind infos": 2 },
  "node-a": {},
  "node-b": { "module-id infos": 1 },
};

/**
 * Deltas keep their ids of core-0.10, which the rules of core-0.11 do not yield. Operations are left behind, so rows
 * have none, and nonces have no log. By default groups are left behind too, and deltas that change what belongs to a
 * public key. With `asBytes`, heads name missing operations, and groups name administrators by public keys, which are
 * not members. Deltas of core-0.10 carry other hashes, so they prove no state, and few entities differ from what the
 * rules of core-0.11 make of them.
 */
const cases: readonly (readonly [Name, asBytes: boolean, Counts])[] = [
  [
    "tables",
    false,
    {
      "delta-heads warnings": 1,
      "delta-id errors": 13,
      "delta-names-what-it-saw infos": 8,
      "delta-parent-there warnings": 4,
      "group-chain warnings": 6,
      "group-there errors": 17,
      "group-there infos": 8,
      "group-there warnings": 6,
      // Aliases of core-0.10 may have names that core-0.11 does not read.
      "key-accepted errors": 2,
      "nonce-log errors": 9,
      "row-without-operation warnings": 8,
      "state-from-deltas infos": 1,
      "state-from-deltas warnings": 13,
      "value-accepted errors": 1,
    },
  ],
  [
    "tables",
    true,
    {
      "delta-id errors": 22,
      "delta-names-what-it-saw infos": 6,
      "group-admin errors": 3,
      "group-log-sequence errors": 4,
      "group-there infos": 2,
      "group-there warnings": 1,
      "identity-device warnings": 3,
      "key-accepted errors": 2,
      "namespace-capabilities warnings": 1,
      "namespace-heads errors": 4,
      "nonce-log warnings": 2,
      "row-without-operation warnings": 9,
      "state-from-deltas warnings": 13,
      "subgroup-visibility errors": 2,
      "value-accepted errors": 1,
    },
  ],
  [
    "node-a",
    false,
    {
      "delta-id errors": 121,
      "delta-names-what-it-saw infos": 6,
      "delta-parent-there warnings": 3,
      "group-there errors": 12,
      "group-there infos": 4,
      "group-there warnings": 3,
      "nonce-log errors": 3,
      "row-without-operation warnings": 5,
    },
  ],
  [
    "node-a",
    true,
    {
      "delta-id errors": 127,
      "delta-names-what-it-saw infos": 4,
      "group-admin errors": 2,
      "group-log-sequence errors": 3,
      "identity-device warnings": 1,
      "namespace-heads errors": 3,
      "row-without-operation warnings": 5,
    },
  ],
  [
    "node-b",
    false,
    {
      "delta-id errors": 115,
      "delta-names-what-it-saw infos": 3,
      "group-there infos": 2,
      "group-there warnings": 2,
      "nonce-log warnings": 1,
      "row-without-operation warnings": 1,
      "state-from-deltas warnings": 1,
    },
  ],
  [
    "node-b",
    true,
    {
      "delta-id errors": 115,
      "delta-names-what-it-saw infos": 3,
      "group-admin errors": 3,
      "namespace-capabilities warnings": 1,
      "namespace-heads warnings": 1,
      "nonce-log warnings": 1,
      "row-without-operation warnings": 3,
      "state-from-deltas warnings": 1,
    },
  ],
];

it.each(cases)("%s, asBytes %s", async (name, asBytes, expected) => {
  const { path } = await conversion(name, asBytes);
  await using store = await openStore(path);
  const { rules } = await verifyStore(store).summary();
  const found = rules.flatMap(({ rule, errors, warnings, infos }) =>
    Object.entries({ errors, warnings, infos }).flatMap(([severity, count]) =>
      count === 0 ? [] : [[`${rule} ${severity}`, count] as const],
    ),
  );
  expect(Object.fromEntries(found)).toEqual({ ...already[name], ...expected });
});

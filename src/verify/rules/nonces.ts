/** The nonces that a group has seen from each signer, which prevent the replay of old operations. */
import { copyBytes } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { firstNotBefore } from "../../bytes/search.js";
import { GroupLocalGovNonce, GroupLocalGovNonceWindow, GroupOpLog } from "../../keys/index.js";
import { RESTORE } from "../advice.js";
import { runsById } from "../batches.js";
import { on, onBatch, onEach, type Rule } from "../rule.js";
import { only010, since011 } from "../since.js";
import { nonceLog } from "./references/groups.js";

const signerNonce: Rule = {
  name: "signer-nonce",
  relations: [44],
  severity: "error",
  says: "The nonces of logged operations are among those that the group has seen of their signers.",
  means: "The node may accept an old operation a second time.",
  advice: RESTORE,
  pairs: true,
  checks: [
    on(only010, GroupOpLog, async function* (batches, tools) {
      // The highest nonce of each signer. All lower ones count as seen.
      const highest = new Map<
        string,
        { readonly key: GroupOpLog; readonly signer: Uint8Array; readonly nonce: bigint }
      >();
      for await (const { id: groupId, rows, begins, ends } of runsById(batches, ({ key }) => key.groupId)) {
        if (begins) highest.clear();
        for (const { key, value } of rows) {
          if (value.value === undefined) continue;
          const { signer, nonce } = value.value;
          const text = toHex(signer);
          if (nonce > (highest.get(text)?.nonce ?? -1n))
            highest.set(text, { key, signer: copyBytes(signer), nonce });
        }
        if (!ends) continue;
        tools.checked(highest.size);
        for (const [{ key, signer, nonce }, { there, value: seen }] of await tools.join(
          [...highest.values()],
          ({ signer }) => new GroupLocalGovNonce({ groupId, signer }),
        )) {
          const message = "the group has not seen the nonce of an operation that it has logged";
          const about = concat(groupId, signer);
          if (!there) yield { key, message, expected: `at least ${nonce}`, about };
          else if (seen !== undefined && seen < nonce)
            yield { key, message, found: seen, expected: `at least ${nonce}`, about };
        }
      }
    }),
    onBatch(since011, GroupOpLog, async function* (rows, tools) {
      const operations = rows.flatMap(({ key, value: { value } }) =>
        value === undefined ? [] : [{ key, ...value, by: toHex(key.groupId) + toHex(value.signer) }],
      );
      tools.checked(operations.length);
      const signers = new Map(operations.map((operation) => [operation.by, operation]));
      const found = await tools.join(
        [...signers.values()],
        ({ groupId, signer }) => new GroupLocalGovNonceWindow({ groupId, signer }),
      );
      const windows = new Map(
        found.map(([{ by }, { there, value }]) => [by, { there, value, above: sorted(value?.above) }]),
      );
      for (const { key, signer, nonce, by } of operations) {
        const { there = false, value: window, above = sorted() } = windows.get(by) ?? {};
        if (there && window === undefined) continue;
        if (window !== undefined && (nonce <= window.floor || contains(above, nonce))) continue;
        const message = "the group has not seen the nonce of an operation that it has logged";
        yield { key, message, expected: nonce, about: concat(key.groupId, signer) };
      }
    }),
  ],
};

/** The numbers in ascending order: the row may have them in any order. */
function sorted(numbers: readonly bigint[] = []): BigUint64Array {
  return BigUint64Array.from(numbers).sort();
}

function contains(ascending: BigUint64Array, number: bigint): boolean {
  return ascending[firstNotBefore(ascending.length, (at) => (ascending[at] as bigint) < number)] === number;
}

const nonceWindow: Rule = {
  name: "nonce-window",
  relations: [44],
  severity: "error",
  says: "The nonces above those that were all seen are ascending, each once.",
  means: "The node may accept an old operation a second time, or refuse a new one.",
  advice: RESTORE,
  checks: [
    onEach(since011, GroupLocalGovNonceWindow, function* ({ key, value: { floor, above } }, tools) {
      tools.checked();
      let last = floor;
      for (const nonce of above) {
        if (nonce <= last) {
          yield { key, message: "the nonces are not ascending", found: nonce, expected: `more than ${last}` };
          return;
        }
        last = nonce;
      }
    }),
  ],
};

export const nonceRules: readonly Rule[] = [signerNonce, nonceWindow, nonceLog];

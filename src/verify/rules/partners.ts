/** Rows that prove that other rows exist: a check looks them up by the keys that follow from the rows. */
import type { Severity } from "../../findings/index.js";
import type { AnyKey, KeyOf } from "../../keys/index.js";
import type { ClassesOf, KeysOf, Schema, ValueFor } from "../../schemas/index.js";
import { type GoodRow, type KindCheck, on } from "../rule.js";
import type { Tools } from "../tools.js";

/** What a row proves. */
interface Proof<S extends Schema, G> {
  /** Returns the keys of rows of which at least one must be there. */
  readonly partners: readonly ((row: G) => KeysOf<S>)[];
  /** What is wrong when none is. */
  readonly message: string;
  /** Unless given, that of the rule. */
  readonly severity?: Severity;
  /** Returns the rows that prove anything; all do unless given. */
  readonly only?: (rows: readonly G[], tools: Tools<S>) => Promise<readonly G[]>;
}

/**
 * A check of the rows of a kind, each of which proves that one of its partners is there. A finding names the key of the
 * first partner; findings about the same partner are one break.
 *
 * For example:
 *
 *     needs([core011], GroupAccountKey, {
 *       partners: [({ key: { groupId } }) => new GroupMeta({ groupId })],
 *       message: "the group is not there",
 *     })
 */
export function needs<S extends Schema, C extends ClassesOf<S>>(
  revisions: readonly S[],
  kind: C,
  proof: Proof<S, GoodRow<KeyOf<C>, ValueFor<S, KeyOf<C>>>>,
): KindCheck {
  const { partners, message, severity, only } = proof;
  return on(revisions, kind, async function* (batches, tools) {
    for await (const batch of batches) {
      let rows = only === undefined ? batch : await only(batch, tools);
      tools.checked(rows.length);
      for (const partnerOf of partners) {
        const found = await tools.join(rows, partnerOf);
        rows = found.flatMap(([row, { there }]) => (there ? [] : [row]));
      }
      for (const row of rows) {
        const expected: AnyKey | undefined = partners[0]?.(row);
        yield {
          key: row.key as AnyKey,
          message,
          ...(expected !== undefined && { expected: expected.bytes, about: expected.bytes }),
          ...(severity !== undefined && { severity }),
        };
      }
    }
  });
}

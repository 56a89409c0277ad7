/** Signatures whose signed bytes may have one of several forms. */
import type { Tools } from "../tools.js";
import type { Signed } from "../work.js";

/** A signature with all forms of its signed bytes, the likeliest first. */
export interface SignedForms {
  readonly forms: readonly [Signed, ...Signed[]];
}

/** The signatures that are wrong. */
export async function wronglySigned<T extends Signed>(
  signed: readonly T[],
  tools: Pick<Tools, "checked" | "verify">,
): Promise<readonly T[]> {
  tools.checked(signed.length);
  const right = await tools.verify(signed);
  return signed.filter((_, at) => right[at] === false);
}

/** The signatures that are wrong in each of their forms. */
export async function unsignedOf<T extends SignedForms>(
  signed: readonly T[],
  tools: Pick<Tools, "checked" | "verify">,
): Promise<readonly T[]> {
  tools.checked(signed.length);
  let wrong = signed;
  for (let form = 0; wrong.some(({ forms }) => form < forms.length); form++) {
    const tried = wrong.flatMap((one) => {
      const signature = one.forms[form];
      return signature === undefined ? [] : [{ one, signature }];
    });
    const right = await tools.verify(tried.map(({ signature }) => signature));
    const done = new Set(tried.filter((_, at) => right[at] === true).map(({ one }) => one));
    wrong = wrong.filter((one) => !done.has(one));
  }
  return wrong;
}

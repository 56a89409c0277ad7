/**
 * A function that computes its result at the first call, and returns the same at every later one. A promise that is rejected
 * is not kept: the next call computes again.
 */
export function once<T>(compute: () => T): () => T {
  let result: { readonly of: T } | undefined;
  return () => {
    if (result !== undefined) return result.of;
    const made = { of: compute() };
    result = made;
    if (made.of instanceof Promise)
      made.of.catch(() => {
        if (result === made) result = undefined;
      });
    return made.of;
  };
}

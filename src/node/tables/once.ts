/** A function that computes its result at the first call, and returns the same at every later one. */
export function once<T>(compute: () => T): () => T {
  let result: { readonly of: T } | undefined;
  return () => {
    result ??= { of: compute() };
    return result.of;
  };
}

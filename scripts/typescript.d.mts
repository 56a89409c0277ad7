/** Imports a TypeScript module of the tests, by its path from the root: `typeof import("…")` is its type. */
export function importTypeScript<T>(path: string): Promise<T>;

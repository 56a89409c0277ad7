/** Imports a TypeScript module of the tests by its path from the root. `T` is `typeof import("…")`. */
export function importTypeScript<T>(path: string): Promise<T>;

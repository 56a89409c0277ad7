/** Access to `node:crypto`, which is several times faster than portable implementations. */
type NodeCrypto = typeof import("node:crypto");

interface Process {
  /** Node 20.16 and later. */
  getBuiltinModule?(name: string): unknown;
}

/** `node:crypto`, without an import that a bundler for browsers could not resolve; undefined outside Node. */
export const nodeCrypto = (globalThis as { process?: Process }).process?.getBuiltinModule?.("node:crypto") as
  | NodeCrypto
  | undefined;

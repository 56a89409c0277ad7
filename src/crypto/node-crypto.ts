/** Node's own cryptography where there is Node: several times faster than what runs anywhere. */
type NodeCrypto = typeof import("node:crypto");

interface Process {
  /** Node 20.16 and later. */
  getBuiltinModule?(name: string): unknown;
}

/** `node:crypto`, without an import that a browser's bundler would stumble over; undefined elsewhere. */
export const nodeCrypto = (globalThis as { process?: Process }).process?.getBuiltinModule?.("node:crypto") as
  | NodeCrypto
  | undefined;

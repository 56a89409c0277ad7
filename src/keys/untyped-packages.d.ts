/** Types of the used part of a package without types. */
declare module "buffer-layout" {
  /** The size of a value in bytes, and the name it has in a structure. */
  export interface Layout {
    /** Bytes; negative where the size varies. */
    readonly span: number;
    readonly property?: string;
  }

  export interface Structure extends Layout {
    /** The offset of a member in bytes; undefined without such a member, or if its offset varies. */
    offsetOf(property: string): number | undefined;
  }

  /** A size that covers the rest of the bytes. */
  export interface GreedyCount extends Layout {
    isCount(): boolean;
  }

  export function u8(property: string): Layout;
  export function blob(length: number | GreedyCount, property: string): Layout;
  export function greedy(elementSpan: number): GreedyCount;
  export function struct(fields: readonly Layout[]): Structure;
}

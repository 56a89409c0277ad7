/** A refused database: the code and the message of the error. */
export interface Refusal {
  readonly kind: string;
  readonly code?: string;
  readonly why?: string;
}

export function justified(refusal: Refusal, forms: readonly string[]): string | undefined;
export function mayRefuse(openEngine: Refusal, files: Refusal, forms: readonly string[]): boolean;

/** Packages that only some databases need: one sentence for all that cannot be loaded. */

import { MerostoreError } from "../errors.js";

/** A package that is loaded when it is first needed. */
export interface OptionalPackage {
  /** The name with which it is installed, and its version: `lz4js`, `classic-level@3.0.0`. */
  readonly spec: string;
  /** Returns why it cannot be loaded, where its own errors tell. */
  reasonOf?(error: NodeJS.ErrnoException): string | undefined;
}

/**
 * Imports a native package.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, saying what is missing and how to get it
 */
export async function loadNative<T>(native: OptionalPackage, importPackage: () => Promise<T>): Promise<T> {
  try {
    return await importPackage();
  } catch (error) {
    throw new MerostoreError("NATIVE_LOAD_FAILED", loadFailure(native, error), { cause: error });
  }
}

/** Says why a package cannot be loaded, and how to get it where it is missing. */
export function loadFailure(optional: OptionalPackage, error: unknown): string {
  const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const detail = failure.cause instanceof Error ? failure.cause.message : failure.message;
  const reason = optional.reasonOf?.(failure) ?? commonReason(optional, failure);
  const [, name] = /^(@?[^@]+)/.exec(optional.spec) ?? [];
  return `${name} cannot be loaded: ${reason}. (${detail.trim()})`;
}

/** The reason of a package that is not there. */
export function notInstalled(spec: string): string {
  return `the package is not installed: npm install ${spec}`;
}

function commonReason({ spec }: OptionalPackage, { code }: NodeJS.ErrnoException): string {
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return notInstalled(spec);
  if (code === "ERR_DLOPEN_FAILED") return "its library is there and does not load";
  return "it failed for a reason of its own";
}

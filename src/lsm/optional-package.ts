/** Packages that only some databases need, and the error if one cannot be loaded. */

import { MerostoreError } from "../errors.js";

/** A package that is loaded at its first use. */
export interface OptionalPackage {
  /** The name and version to install: `fflate`, `classic-level@3.0.0`. */
  readonly spec: string;
  /** Returns the reason why it cannot be loaded, if its own errors show it. */
  reasonOf?(error: NodeJS.ErrnoException): string | undefined;
}

/**
 * Imports a native package.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, whose message names what is missing and how to install it
 */
export async function loadNative<T>(native: OptionalPackage, importPackage: () => Promise<T>): Promise<T> {
  try {
    return await importPackage();
  } catch (error) {
    throw new MerostoreError("NATIVE_LOAD_FAILED", loadFailure(native, error), { cause: error });
  }
}

/** Describes the reason why a package cannot be loaded, and how to install it. */
export function loadFailure(optional: OptionalPackage, error: unknown): string {
  const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const detail = failure.cause instanceof Error ? failure.cause.message : failure.message;
  const reason = optional.reasonOf?.(failure) ?? commonReason(optional, failure);
  const [, name] = /^(@?[^@]+)/.exec(optional.spec) ?? [];
  return `${name} cannot be loaded: ${reason}. (${detail.trim()})`;
}

/** Returns the reason for a package that is not installed. */
export function notInstalled(spec: string): string {
  return `the package is not installed: npm install ${spec}`;
}

function commonReason({ spec }: OptionalPackage, { code }: NodeJS.ErrnoException): string {
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return notInstalled(spec);
  if (code === "ERR_DLOPEN_FAILED") return "its library exists but does not load";
  return "it failed with an error of its own";
}

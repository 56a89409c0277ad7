/** Loading the native packages of engines, when a database is opened. */

import { MerostoreError } from "../errors.js";
import { loadFailure, type OptionalPackage } from "../lsm/optional-package.js";

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

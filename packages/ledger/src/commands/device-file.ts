/** The file of a device, which commands take as --device: its secret, and the newest roster that it knows. */
import { renameSync, writeFileSync } from "node:fs";
import { MerostoreError } from "merostore/internal";
import { text } from "merostore/internal/commands";
import type { FolderDevice } from "../index.js";
import { wordIn } from "./store-at.js";

/** The file of this device. */
export const device = text("<file>", 'the file of this device, made by "ledger device create"');

/** Makes the file of a device. Only its owner may read it. @throws MerostoreError INVALID_ARGUMENT if it exists */
export function createDeviceFile(path: string, secret: string): void {
  try {
    write(path, { secret });
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be made: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Returns the device of a file. @throws MerostoreError INVALID_ARGUMENT */
export function deviceIn(path: string | undefined): FolderDevice {
  const { secret, roster } = secretIn(path);
  if (roster === undefined)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `--device: ${path} has no roster: an admin adds the device, and "ledger device join" takes the roster`,
    );
  return { secret, roster };
}

/** Returns the secret in the file of a device that may have no roster. @throws MerostoreError INVALID_ARGUMENT */
export function secretIn(path: string | undefined): { readonly secret: string; readonly roster?: string } {
  if (path === undefined)
    throw new MerostoreError("INVALID_ARGUMENT", "give the file of this device: --device FILE");
  let found: unknown;
  try {
    found = JSON.parse(wordIn(path, "--device"));
  } catch (cause) {
    // The message of a syntax error may show the secret.
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const { secret, roster } = (found ?? {}) as Partial<FolderDevice>;
  if (typeof secret !== "string" || (roster !== undefined && typeof roster !== "string"))
    throw new MerostoreError("INVALID_ARGUMENT", `--device: ${path} is not the file of a device`);
  return { secret, ...(roster !== undefined && { roster }) };
}

/** Remembers the newest roster in the file of a device: it takes no older state of the folder afterwards. */
export function rememberRoster(path: string, roster: string | undefined): void {
  const known = secretIn(path);
  if (roster === undefined || roster === known.roster) return;
  const made = `${path}.new`;
  write(made, { ...known, roster }, "w");
  renameSync(made, path);
}

function write(path: string, content: object, flag = "wx"): void {
  writeFileSync(path, `${JSON.stringify(content)}\n`, { flag, mode: 0o600, flush: true });
}

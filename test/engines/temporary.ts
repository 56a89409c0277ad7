/** Temporary folders for tests, and copies of the fixtures in them. */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];
const FIXTURES = join(import.meta.dirname, "../../fixtures");

/** Removes all temporary folders of this file after each test. */
export function cleanUpAfterEach(): void {
  afterEach(removeTemporary);
}

export function removeTemporary(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** An empty folder. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "merostore-engine-"));
  made.push(folder);
  return folder;
}

/** A copy of a folder, made writable. */
export function temporaryCopy(folder: string): string {
  const copy = join(temporaryFolder(), "db");
  cpSync(folder, copy, { recursive: true });
  chmodSync(copy, 0o755);
  for (const entry of readdirSync(copy, { withFileTypes: true, recursive: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  return copy;
}

/** The database folder of a fixture, like `documented/tables`. */
export function fixture(name: string): string {
  return join(FIXTURES, name, "db");
}

/** The names of all fixtures that hold a database as a node leaves it: those in `formats` lack files that it writes. */
export function fixtureNames(): string[] {
  return readdirSync(FIXTURES)
    .filter((revision) => revision !== "formats" && statSync(join(FIXTURES, revision)).isDirectory())
    .flatMap((revision) => readdirSync(join(FIXTURES, revision)).map((name) => `${revision}/${name}`))
    .filter((name) => existsSync(join(fixture(name), "CURRENT")));
}

/** The fixtures that the bundled RocksDB opens: it has no compression. */
export function plainFixtureNames(): string[] {
  const isCompressed = (name: string): boolean =>
    readdirSync(fixture(name)).some(
      (file) =>
        file.startsWith("OPTIONS-") &&
        /bottommost_compression=k(?!No|Disable)/.test(readFileSync(join(fixture(name), file), "utf8")),
    );
  return fixtureNames().filter((name) => !isCompressed(name));
}

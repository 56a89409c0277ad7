/** The packages that speak PostgreSQL's protocol, loaded when the first such database is opened. */

import type { Writable } from "node:stream";
import type { Client, Submittable } from "pg";
import { loadNative } from "../../lsm/optional-package.js";

/** The versions that the error for a missing package names: those of package.json. */
const PG = { name: "pg", version: "8.23.1" } as const;
const COPY_STREAMS = { name: "pg-copy-streams", version: "7.0.0" } as const;

/** What is used of `pg`. */
export type ClientClass = typeof Client;

/** A COPY under way: what is written to it goes to the server. */
export type CopyStream = Writable & Submittable;

/** The function `from` of `pg-copy-streams`. */
export type CopyFrom = (statement: string) => CopyStream;

/** Imports a package by its name; replaced in tests. */
export type PackageImporter = (name: string) => Promise<unknown>;

/** Names are in variables, so that bundlers leave the packages where they are. */
const importPackage: PackageImporter = (name) => import(name);

/**
 * Loads `pg`.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, which says what to install
 */
export async function loadPg(importer = importPackage): Promise<ClientClass> {
  const { default: pg } = await load<{ default: { Client: ClientClass } }>(PG, importer);
  return pg.Client;
}

/**
 * Loads `pg-copy-streams`.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, which says what to install
 */
export async function loadCopyFrom(importer = importPackage): Promise<CopyFrom> {
  const { from } = await load<{ from: CopyFrom }>(COPY_STREAMS, importer);
  return from;
}

function load<T>({ name, version }: typeof PG | typeof COPY_STREAMS, importer: PackageImporter): Promise<T> {
  return loadNative({ spec: `${name}@${version}` }, () => importer(name) as Promise<T>);
}

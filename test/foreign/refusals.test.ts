/** The judge of `npm run test:foreign` decides which refusals a database's forms justify. */
import { describe, expect, it } from "vitest";
import { justified, mayRefuse, type Refusal } from "./refusals.mjs";

const refused = (code: string, why: string): Refusal => ({ kind: "refused", code, why });
const blobFiles = refused("FORMAT_UNSUPPORTED", "MANIFEST-000505: values are in blob files");
const elsewhere = refused(
  "DATABASE_DAMAGED",
  "000866.sst is missing, or lies in another folder (db_paths, cf_paths), or MANIFEST-000505 is truncated",
);
const noNumbers = refused("FORMAT_UNSUPPORTED", "its oldest entries have no sequence numbers");

describe("a refusal", () => {
  it("is justified by a form of the database", () => {
    expect(justified(blobFiles, ["blob files"])).toBe("values are in blob files");
    expect(justified(elsewhere, ["db_paths"])).toBeDefined();
    for (const form of ["repair", "ingested"]) expect(justified(noNumbers, [form])).toBeDefined();
  });

  it("is not justified by another form, nor with another code", () => {
    expect(justified(blobFiles, ["db_paths"])).toBeUndefined();
    expect(justified(noNumbers, ["blob files"])).toBeUndefined();
    expect(justified(refused("DATABASE_DAMAGED", blobFiles.why ?? ""), ["blob files"])).toBeUndefined();
  });
});

describe("openEngine", () => {
  it("may refuse what the engine files refuses, as this does, or for a reason of its own", () => {
    expect(mayRefuse(blobFiles, blobFiles, ["blob files"])).toBe(true);
    expect(mayRefuse(elsewhere, blobFiles, ["blob files", "db_paths"])).toBe(true);
  });

  it("may not refuse what the engine files reads, nor without a reason", () => {
    expect(mayRefuse(blobFiles, { kind: "equal" }, ["blob files"])).toBe(false);
    expect(mayRefuse(elsewhere, blobFiles, ["blob files"])).toBe(false);
  });
});

import { defineConfig } from "vitest/config";

/** Tests whose memory is measured, where modules of other files would be measured too, and those that replace modules. */
const ALONE = [
  "test/codec/every-type.full.test.ts",
  "test/crypto/elsewhere.full.test.ts",
  "test/engines/files/{damage,failures,fuzz,recycled-beside}.full.test.ts",
  "test/verify/memory.full.test.ts",
];

const FULL = "{test,packages/*/test}/**/*.full.test.ts";
const CHECK = "{test,packages/*/test}/**/*.check.test.ts";

/** Files that follow each other in a process share modules, which are loaded and compiled once. */
const shared = { isolate: false };

export default defineConfig({
  // Packages import each other by name: in tests, from their sources.
  resolve: { tsconfigPaths: true },
  test: {
    // One processor less is the default: half of two.
    maxWorkers: "100%",
    reporters: ["default", "./test/support/totals.ts"],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "quick",
          include: ["{test,packages/*/test}/**/*.test.ts"],
          exclude: [...ALONE, FULL, CHECK],
        },
      },
      { extends: true, test: { ...shared, name: "full", include: [FULL], exclude: ALONE } },
      { extends: true, test: { name: "alone", include: ALONE } },
      {
        extends: true,
        test: {
          ...shared,
          name: "check",
          include: [CHECK],
          typecheck: { enabled: true, include: ["{test,packages/*/test}/**/*.test-d.ts"] },
        },
      },
    ],
    // A watchdog only: what never ends fails, what is slow does not, whatever runs beside it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

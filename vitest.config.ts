import { defineConfig } from "vitest/config";

/** Tests that measure memory, where modules of other files would be measured too, and one that loads modules anew. */
const ALONE = [
  "test/codec/every-type.test.ts",
  "test/crypto/elsewhere.test.ts",
  "test/engines/files/{damage,failures,fuzz}.test.ts",
  "test/verify/memory.test.ts",
];

export default defineConfig({
  test: {
    // One processor less is the default: half of two.
    maxWorkers: "100%",
    reporters: ["default", "./test/support/totals.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: ALONE,
          // Files that follow each other in a process share modules, which are loaded and compiled once.
          isolate: false,
          typecheck: { include: ["test/**/*.test-d.ts"] },
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
    // Generous: what never ends fails, what is slow does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

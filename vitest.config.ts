import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // One processor less is the default: half of two.
    maxWorkers: "100%",
    // Generous: what never ends fails, what is slow does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/support/totals.ts"],
    typecheck: { include: ["test/**/*.test-d.ts"] },
  },
});

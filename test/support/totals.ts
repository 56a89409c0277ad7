/** Ends a run with its totals, alone on a line: `N passed, N failed`. */
import type { Reporter, TestModule } from "vitest/node";

export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // A failure outside of any test counts as a failure.
    let failed = errors.length;
    for (const module of modules) {
      if (module.errors().length > 0) failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else failed++;
      }
    }
    // After the summary of the default reporter.
    process.once("exit", () => process.stdout.write(`\n${passed} passed, ${failed} failed\n`));
  }
}

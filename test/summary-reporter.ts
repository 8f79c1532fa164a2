import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with one plain line that any log reader understands. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.errors().length > 0) count.failed++;
      // A hook that failed: its tests count as skipped.
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed++;
    }
    count.failed += errors.length;
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}

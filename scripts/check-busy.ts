/**
 * The test suite while both cores are busy with other work: three runs beside two busy loops, nothing tried twice.
 * Prints a table and one summary line; exits 1 where a run fails, or takes more than six minutes of CPU.
 */
import { besideBusyLoops } from './busy-loops.ts';
import { printRun, printRunHead, runTests, type TestRun } from './run-tests.ts';
import { answerHelp } from './usage.ts';

answerHelp();

const RUNS = 3;
const CPU_BAR_S = 360;

const runs: TestRun[] = [];
printRunHead('run');
for (let run = 1; run <= RUNS; run++) {
  const result = await besideBusyLoops(() => runTests());
  runs.push(result);
  printRun(String(run), result);
}
const failed = runs.filter(({ code }) => code !== 0).length;
const dear = runs.filter(({ cpuS }) => cpuS > CPU_BAR_S).length;
const most = Math.max(...runs.map(({ cpuS }) => cpuS));
console.log(
  `check busy: ${RUNS} runs beside two busy loops, ${failed} failed, ` +
    `at most ${most.toFixed(0)} s of CPU (bar ${CPU_BAR_S}), ${dear} above the bar`,
);
process.exit(failed + dear === 0 ? 0 : 1);

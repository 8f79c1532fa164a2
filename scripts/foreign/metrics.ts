import { spawnSync } from 'node:child_process';
import { startOpsService } from '../../test/ops/ops-service.ts';
import { metricTypes } from '../ops-kit.ts';
import { install, versionOf } from '../proxies/process.ts';
import { type Row, rowOf } from './row.ts';

const PROMTOOL = { name: 'promtool', version: ['--version'], package: 'prometheus' } as const;

/** The metrics of a service that has all of them, by `promtool check metrics`: each is a case. */
export async function metrics(say: (done: string) => void): Promise<readonly Row[]> {
  install([PROMTOOL]);
  const running = await startOpsService();
  try {
    say('promtool check metrics');
    const text = await running.metrics();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    const said = `${stdout}${stderr}`.trim().split('\n');
    const cases = [...metricTypes(text).keys()].map((name) => ({
      name,
      fault: said.find((line) => line.startsWith(`${name} `)),
    }));
    const whole = { name: 'its end', fault: status === 0 ? undefined : said.join('; ') };
    return [rowOf('promtool check metrics', versionOf(PROMTOOL), [...cases, whole])];
  } finally {
    await running.stop();
  }
}

import { expect, it } from 'vitest';
import { reportToServiceManager } from '../../src/cli/service-manager.ts';

/** Records what is run, and lets time pass by hand. */
function rig(env: Record<string, string>) {
  const said: string[] = [];
  const periods: number[] = [];
  let tick: (() => void) | undefined;
  const end = reportToServiceManager(
    env,
    (command, args) => said.push([command, ...args].join(' ')),
    (ms, task) => {
      periods.push(ms);
      tick = task;
      return () => {
        tick = undefined;
      };
    },
  );
  return { said, periods, end, tick: () => tick?.() };
}

it('says nothing where no service manager listens', () => {
  const { said, periods, end } = rig({ WATCHDOG_USEC: '30000000' });
  end();
  expect([said, periods]).toEqual([[], []]);
});

it('is ready at once, and alive twice in each watchdog interval', () => {
  const { said, periods, tick, end } = rig({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '30000000' });
  expect([said, periods]).toEqual([['systemd-notify --ready'], [15_000]]);
  tick();
  end();
  tick();
  expect(said.slice(1)).toEqual(['systemd-notify WATCHDOG=1', 'systemd-notify STOPPING=1']);
});

it('is ready without a watchdog where none is asked for', () => {
  const { said, periods } = rig({ NOTIFY_SOCKET: '/run/notify' });
  expect([said, periods]).toEqual([['systemd-notify --ready'], []]);
});

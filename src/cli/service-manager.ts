import { spawn } from 'node:child_process';

/** Runs a command for its effect; whether it works is the service manager's to judge. */
export type RunCommand = (command: string, args: readonly string[]) => void;

const detach: RunCommand = (command, args) => {
  const child = spawn(command, args, { stdio: 'ignore' });
  child.once('error', () => {});
  child.unref();
};

/** The environment in which systemd started this process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tells systemd that the service is ready, and from then on that its event loop turns, twice in each watchdog interval.
 * The message goes through systemd's own `systemd-notify`, as Node.js has no datagram sockets of the Unix kind; the unit
 * therefore needs `NotifyAccess=all`. Does nothing where no service manager asked for it.
 *
 * @returns ends the reports: the service is stopping
 * @see sd_notify(3), sd_watchdog_enabled(3)
 */
export function reportToServiceManager(
  env: Environment = process.env,
  run: RunCommand = detach,
  every: (ms: number, task: () => void) => () => void = interval,
): () => void {
  if (!env.NOTIFY_SOCKET) return () => {};
  run('systemd-notify', ['--ready']);
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1000;
  const end = watchdogMs > 0 ? every(watchdogMs / 2, () => run('systemd-notify', ['WATCHDOG=1'])) : () => {};
  return () => {
    end();
    run('systemd-notify', ['STOPPING=1']);
  };
}

function interval(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms).unref();
  return () => clearInterval(timer);
}

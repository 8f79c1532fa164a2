import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { withTimeout } from '../../runtime/timer.ts';

const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;
const PROCESS = /^Process (\d+)$/m;
const START_MS = 15_000;

/**
 * Runs anvil under a shell that ends it as soon as this process is gone, however that came about: its standard
 * input is a pipe from here, and closes with us.
 */
const WATCHED =
  'exec 3<&0; "$0" "$@" 3<&- & pid=$!; echo "Process $pid"; { cat >/dev/null; kill -9 $pid; } <&3 >/dev/null 2>&1 & wait $pid';

export interface AnvilProcess {
  readonly rpcUrl: string;
  /** Process id of anvil itself. */
  readonly pid: number;
  /** Resolved when it has ended. */
  stop(): Promise<void>;
}

/** Starts a local chain on a free port of the loopback interface, without any account of its own. */
export async function startAnvil(chainId: number, blockTimeSeconds?: number): Promise<AnvilProcess> {
  const args = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId), '--accounts', '0'];
  if (blockTimeSeconds !== undefined) args.push('--block-time', String(blockTimeSeconds));
  const binary = anvilBinary();
  const child =
    process.platform === 'win32' ? spawn(binary, args) : spawn('/bin/sh', ['-c', WATCHED, binary, ...args]);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    if (process.platform === 'win32') child.kill();
    await ended;
  };
  try {
    const { port, pid } = await untilListening(child);
    return { rpcUrl: `http://127.0.0.1:${port}`, pid, stop };
  } catch (cause) {
    child.stdin.end();
    child.kill('SIGKILL');
    throw cause;
  }
}

/** True if the optional package of the local chain is installed for this platform. */
export function isChainInstalled(): boolean {
  try {
    anvilBinary();
    return true;
  } catch {
    return false;
  }
}

/** The binary of the platform package, found through the package that depends on it. */
function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as string];
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  try {
    const from = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
    const folder = dirname(from.resolve(`@foundry-rs/anvil-${platform}-${arch}/package.json`));
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  } catch (cause) {
    throw new Error(
      `the sandbox chain needs the package @foundry-rs/anvil for ${process.platform}-${process.arch}`,
      {
        cause,
      },
    );
  }
}

function untilListening(child: ChildProcessWithoutNullStreams): Promise<{ port: number; pid: number }> {
  let output = '';
  const failure = (why: string): Error =>
    new Error(`the sandbox chain did not start: ${why} ${output.slice(-500)}`);
  const listening = new Promise<{ port: number; pid: number }>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const port = LISTENING.exec(output)?.[1];
      if (port === undefined) return;
      child.stdout.off('data', read).resume();
      child.stderr.resume();
      resolve({ port: Number(port), pid: Number(PROCESS.exec(output)?.[1] ?? child.pid) });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', (chunk: Buffer) => {
      if (output.length < 10_000) output += chunk.toString('utf8');
    });
    child.once('error', (error) => reject(failure(error.message)));
    child.once('exit', (code) => reject(failure(`it ended with ${code}`)));
  });
  return withTimeout(listening, START_MS, () => {
    throw failure('no answer');
  });
}

import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createWorld } from './create-world.ts';
import { keepPace } from './keep-pace.ts';
import { Pace } from './pace.ts';
import { hearReader } from './reader-load.ts';
import { startSimServer } from './server.ts';
import { TimerLag } from './timer-lag.ts';
import { SIM_VENUES } from './venues/index.ts';
import { BOOK_RATE, setBookRate } from './venues/stepped-book.ts';

/** Process entry: serves the simulated venues until told to stop or until the parent goes away. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      'book-rate': { type: 'string', default: String(BOOK_RATE) },
    },
  });
  const port = wholeNumber(values.port, 'port');
  const seed = wholeNumber(values.seed, 'seed');
  const rate = bookRate(values['book-rate']);
  setBookRate(rate);
  const tickMs = Math.min(1000, Math.round(1000 / rate));
  const pace = new Pace();
  const slowness = (): number => pace.slowness;
  const server = await startSimServer({
    port,
    world: createWorld(seed),
    venues: SIM_VENUES,
    tickMs,
    slowness,
  });
  // The line stands where the demo was started: its reader sees why values come more rarely.
  const say = (sentence: string) => void process.stderr.write(`sim: ${sentence}\n`);
  keepPace({ pace, lag: new TimerLag(), bookRate: rate, now: Date.now, say });
  hearReader(process, pace);
  const stop = () => void server.close().then(() => process.exit(0));
  stopWithParent(stop);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  process.stdout.write(
    `${JSON.stringify({ ready: true, port: server.port, url: server.url, simulated: true })}\n`,
  );
}

/** A closed IPC channel or a closed stdin pipe means that the parent is gone. */
function stopWithParent(stop: () => void): void {
  process.once('disconnect', stop);
  if (process.connected) return;
  // It went while this process was starting.
  if (process.env.PERPMETER_PARENT !== undefined) stop();
  const stdin = fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.once('end', stop);
  process.stdin.once('error', stop);
  process.stdin.resume();
}

function wholeNumber(text: string, name: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`--${name} must be a whole number, not "${text}"`);
  return n;
}

/** Steps a second that every book takes. */
function bookRate(text: string): number {
  const rate = Number(text);
  if (!(rate >= 0.01 && rate <= 100))
    throw new RangeError(`--book-rate must be from 0.01 to 100, not "${text}"`);
  return rate;
}

await main();

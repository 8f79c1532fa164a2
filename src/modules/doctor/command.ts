import { accessSync, constants, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../host/settings/settings.ts';
import { readBases, readVenues } from '../../host/settings/venue-settings.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { examineVenues } from './examine.ts';
import { payloadFiles, reportJson, reportText } from './report.ts';
import type { VenueProbe } from './venue-probe.ts';

export interface DoctorOptions {
  readonly live?: true;
  readonly json?: true;
  readonly payloads?: string;
  readonly gap: string;
  readonly timeout: string;
}

const STREAM_MS = 20_000;
const MIB = 1_048_576;

/**
 * Checks this machine, or with `live` asks every venue for everything once and prints what is not as it should be.
 * @returns exit code: 0 all well, 1 something is wrong or was not asked, 2 usage
 */
export async function doctorCommand(settings: Settings, options: DoctorOptions): Promise<number> {
  const errors: string[] = [];
  const venues = readVenues(settings.venues, errors, '--venue (PERPMETER_VENUES)');
  const bases = readBases(settings.venueBases, errors);
  const gapMs = milliseconds('--gap', options.gap, errors);
  const timeoutMs = milliseconds('--timeout', options.timeout, errors);
  for (const error of errors) process.stderr.write(`doctor: ${error}\n`);
  if (errors.length > 0) return 2;
  if (options.live !== true) return checkMachine(settings);
  const stop = new AbortController();
  const tell = (text: string): void => void process.stderr.write(`doctor: ${text}\n`);
  const end = (why: string) => (): void => {
    tell(`${why}: the report is of what was asked so far`);
    stop.abort();
  };
  const interrupt = end('stopped');
  const timer = setTimeout(end(`${options.timeout} s are over`), timeoutMs);
  process.once('SIGINT', interrupt);
  const report = await examineVenues({
    venues,
    bases,
    gapMs,
    signal: stop.signal,
    streamMs: STREAM_MS,
    keepPayloads: options.payloads !== undefined,
    done: (visit, left) => tell(`${progress(visit)}; ${left} venues left`),
  });
  clearTimeout(timer);
  process.off('SIGINT', interrupt);
  if (options.payloads !== undefined) writePayloads(options.payloads, payloadFiles(report), tell);
  const text = options.json ? `${JSON.stringify(reportJson(report), null, 2)}\n` : reportText(report);
  process.stdout.write(text);
  return report.isWell && report.isComplete ? 0 : 1;
}

function milliseconds(flag: string, text: string, errors: string[]): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0 && seconds <= 86_400)) {
    errors.push(`${flag} must be seconds from 0 to 86400, not "${text}"`);
  }
  return seconds * 1000;
}

function progress({ adapter, calls, instruments }: VenueProbe): string {
  const answered = [...calls.values()].filter((call) => call.answered > 0).length;
  return `${adapter.id}: ${answered} of ${calls.size} calls answered, ${instruments.size} contracts`;
}

function writePayloads(
  folder: string,
  files: ReadonlyMap<string, string>,
  tell: (text: string) => void,
): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  tell(`${files.size} redacted payloads in ${folder}`);
}

/** Checks that need no network: the settings were read before this; the data folder and its disk. */
function checkMachine({ dataDir, historyMinFreeMb }: Settings): number {
  const faults: string[] = [];
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    const { bavail, bsize } = statfsSync(dataDir);
    const free = Math.floor((bavail * bsize) / MIB);
    const said = `${free} MiB free for ${dataDir}`;
    if (free < historyMinFreeMb) faults.push(`${said}, less than HISTORY_MIN_FREE_MB=${historyMinFreeMb}`);
    else process.stdout.write(`settings read; Node.js ${process.version}; ${said}\n`);
  } catch (error) {
    faults.push(`data folder ${dataDir}: ${reasonOf(error)}`);
  }
  for (const fault of faults) process.stdout.write(`wrong: ${fault}\n`);
  process.stderr.write('doctor: no venue was asked; --live asks them all once, within their rate limits\n');
  return faults.length === 0 ? 0 : 1;
}

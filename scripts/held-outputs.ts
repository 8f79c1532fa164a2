/**
 * Compares what is decoded, answered and documented with the hashes of test/held-outputs.json: every simulated and
 * recorded payload as `perpmeter decode` prints it, rejects included; every route without a payment and free of charge
 * over the example market; every committed example; the number of every venue. Exits 1 where one differs. `npm run check held`.
 *
 *   --write   keeps the hashes as they are now; recorded payloads that are not at hand keep theirs
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tableText } from '../src/host/process/table-text.ts';
import { decodedLines } from '../src/modules/decode/decoded-lines.ts';
import { ROUTES } from '../src/modules/routes.ts';
import { KNOWN_VENUES } from '../src/venues/registry.ts';
import { createExampleApi, requestOf } from '../test/api/example-api.ts';
import { exampleFiles } from '../test/api/example-file.ts';
import { type SoakCase, soakCases } from '../test/soak/cases.ts';
import { SAMPLES_ROOT } from '../test/venues/recordings.ts';
import { answerHelp } from './usage.ts';

const HELD = new URL('../test/held-outputs.json', import.meta.url);
/** Headers that say when and over which connection. */
const PASSING = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
const SHOWN = 40;

/** A hash by the name of the output. */
type Hashes = Map<string, string>;

/** Hashes of what is written to a name piece by piece. */
class Digests {
  readonly #open = new Map<string, ReturnType<typeof createHash>>();

  add(name: string, text: string | Uint8Array): void {
    const hash = this.#open.get(name) ?? createHash('sha256');
    this.#open.set(name, hash.update(text));
  }

  close(): Hashes {
    return new Map([...this.#open].map(([name, hash]) => [name, hash.digest('hex').slice(0, 32)]));
  }
}

/** Payloads of one call, or of one recorded file, are one output. */
const outputOf = ({ origin, name }: SoakCase): string =>
  origin === 'simulated' ? name.replace(/ simulated \d+ /, ' simulated ') : name.replace(/:\d+$/, '');

function addDecoded(digests: Digests): void {
  for (const one of soakCases()) {
    const { adapter, decode, payload, context = { instruments: new Map() } } = one;
    const name = `decode ${outputOf(one)}`;
    for (const line of decodedLines(adapter, decode(payload, context), context.instruments))
      digests.add(name, `${JSON.stringify(line)}\n`);
    digests.add(name, '\n');
  }
}

/** Every route over the example market: free of charge its answer, for sale without a payment its challenge. */
async function addAnswers(digests: Digests, mode: 'off' | 'sandbox', who: string): Promise<void> {
  const { api, start } = createExampleApi({ mode });
  const base = await start();
  for (const route of ROUTES) {
    const name = `${who} GET ${route.path}`;
    const response = await fetch(base + requestOf(route), { redirect: 'manual' });
    const headers = [...response.headers].filter(([key]) => !PASSING.has(key));
    digests.add(name, `${response.status}\n${headers.map((pair) => `${pair.join(': ')}\n`).join('')}\n`);
    digests.add(name, new Uint8Array(await response.arrayBuffer()));
  }
  await api.close();
}

/** Stored rows and clients know venues by these numbers: one that was given is never given to another. */
function addSourceIds(digests: Digests): void {
  for (const { id, sourceId } of KNOWN_VENUES) digests.add(`source id ${id}`, String(sourceId));
}

async function hashesNow(): Promise<Hashes> {
  const digests = new Digests();
  addSourceIds(digests);
  addDecoded(digests);
  await addAnswers(digests, 'sandbox', 'unpaid');
  await addAnswers(digests, 'off', 'free');
  for (const [id, file] of exampleFiles()) digests.add(`example ${id}.json`, readFileSync(file));
  return digests.close();
}

function readHeld(): Hashes {
  const held: Record<string, string> = existsSync(HELD) ? JSON.parse(readFileSync(HELD, 'utf8')) : {};
  return new Map(Object.entries(held));
}

const isRecorded = (name: string): boolean => / recorded \S+\//.test(name);

answerHelp();
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const held = readHeld();
const now = await hashesNow();
let unseen = 0;
if (!existsSync(SAMPLES_ROOT)) {
  for (const [name, hash] of held) {
    if (!isRecorded(name)) continue;
    now.set(name, hash);
    unseen += 1;
  }
}
const names = [...new Set([...held.keys(), ...now.keys()])].sort();
const changed = names.filter((name) => held.get(name) !== now.get(name));
const rows = changed.map((name) => [name, held.get(name) ?? 'none', now.get(name) ?? 'none']);
if (rows.length > 0) process.stdout.write(tableText(['output', 'held', 'now'], rows.slice(0, SHOWN)));
if (rows.length > SHOWN) console.log(`and ${rows.length - SHOWN} more`);
if (values.write) {
  const sorted = names.flatMap((name) => (now.has(name) ? [[name, now.get(name)]] : []));
  writeFileSync(HELD, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
const compared = now.size - unseen;
console.log(
  `check held: ${compared} outputs, ${unseen} recorded ones not at hand, ${changed.length} changed`,
);
process.exitCode = changed.length > 0 && !values.write ? 1 : 0;

import { readIndex } from './recording-folder.ts';
import { type VerifiedSegment, verifyFolder } from './verify-folder.ts';

interface Output {
  readonly json?: boolean;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const MB = 1_000_000;
const time = (at: number): string => new Date(at).toISOString();

/** Prints the closed segments of a folder. */
export async function listRecordings(folder: string, { json = false }: Output): Promise<number> {
  const segments = await readIndex(folder);
  if (json) for (const segment of segments) print(JSON.stringify(segment));
  if (json) return 0;
  for (const { file, from, to, records, bytes, venues, gaps } of segments) {
    const size = `${(bytes / MB).toFixed(1)} MB`;
    print(
      `${file}  ${time(from)}  ${time(to)}  ${records} records  ${size}  ${venues.length} venues  ${gaps} gaps`,
    );
  }
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  print(`${segments.length} closed segments, ${(bytes / MB).toFixed(1)} MB`);
  return 0;
}

/** Reads every segment of a folder, and prints what is wrong and what is missing. */
export async function verifyRecordings(folder: string, { json = false }: Output): Promise<number> {
  let faulty = 0;
  let segments = 0;
  for await (const segment of verifyFolder(folder)) {
    segments += 1;
    if (segment.state === 'faulty') faulty += 1;
    if (json) print(JSON.stringify(segment));
    else printSegment(segment);
  }
  if (!json) print(`${segments} segments, ${faulty} faulty`);
  return faulty === 0 ? 0 : 1;
}

function printSegment(segment: VerifiedSegment): void {
  const { file, state, faults, records, bytes, tornBytes, disconnects, gaps } = segment;
  const torn = tornBytes === 0 ? '' : `, ${tornBytes} torn bytes`;
  print(`${file}  ${state}  ${records} records  ${bytes} bytes${torn}  ${disconnects} disconnects`);
  for (const fault of faults) print(`  fault: ${fault}`);
  for (const { reason, from, to, records: lost } of gaps)
    print(`  gap: ${reason}, ${time(from)} to ${time(to)}, ${lost} records`);
}

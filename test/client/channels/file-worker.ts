/**
 * A process that shares a file of channels: `<file> <times>` changes one channel so often, each time on top of the newest record,
 * and prints the version of every change of which it hears that it is saved.
 */
import { FileChannels } from '../../../packages/client/src/file-channels.ts';

const [path = '', times = '0'] = process.argv.slice(2);
const channels = new FileChannels(path, 2_000);
for (let saved = 0; saved < Number(times); ) {
  const [newest] = await channels.load();
  if (newest === undefined) throw new Error('no channel');
  const version = newest.version + 1;
  const signed = String(BigInt(newest.signed) + 1n);
  if (!(await channels.save({ ...newest, version, signed }))) continue;
  saved += 1;
  process.stdout.write(`${version}\n`);
}

import { join } from 'node:path';
import type { AddCommand, GivenSettings } from '../../host/command.ts';
import type { Module, ReadSettings } from '../../host/module.ts';
import { runWithSettings } from '../../host/place-flags.ts';
import { PLACE, SETTINGS } from './settings.ts';
import type { ShowFlags } from './show.ts';

const isOn = (settings: ReadSettings): boolean => (settings(SETTINGS).record ?? []).length > 0;

/** The folder of recordings that a command reads. */
const folderOf = ({ settings }: GivenSettings): string =>
  typeof settings.recordDir === 'string' ? settings.recordDir : join(settings.dataDir, 'recordings');

const addRecordings: AddCommand = (program, host) => {
  const parent = program.command('recordings').description('recordings of what venues have sent');
  host
    .withSettings(parent.command('list'), PLACE)
    .description('list segments, with their times, sizes and gaps')
    .option('--json', 'one JSON object a segment instead of a table')
    .action((flags: { readonly json?: boolean }) =>
      runWithSettings(host, flags, PLACE, async (given) => {
        const { listRecordings } = await import('./command.ts');
        return listRecordings(folderOf(given), flags);
      }),
    );
  host
    .withSettings(parent.command('verify'), PLACE)
    .description('read every segment: checksums, the chain of hashes, every record; name all gaps')
    .option('--json', 'one JSON object a segment instead of text')
    .addHelpText('after', '\nExit code: 0 whole, 1 damaged or incomplete.')
    .action((flags: { readonly json?: boolean }) =>
      runWithSettings(host, flags, PLACE, async (given) => {
        const { verifyRecordings } = await import('./command.ts');
        return verifyRecordings(folderOf(given), flags);
      }),
    );
  host
    .withSettings(parent.command('show'), PLACE)
    .description('print records in the order in which they came, the segment that is open included')
    .option('--from <time>', 'from this time on: 2026-11-21T10:00:00Z')
    .option('--to <time>', 'up to this time, without it')
    .option('--venue <ids>', 'these venues only, comma separated; sub-venues are included')
    .option('--kind <names>', 'only books, tickers, instruments, history; comma separated')
    .option('--json', 'one JSON object a record, with the whole payload')
    .addHelpText('after', '\nExit code: 0 all printed, 1 a segment is damaged or missing, 2 wrong flags.')
    .action((flags: ShowFlags) =>
      runWithSettings(host, flags, PLACE, async (given) => {
        const { showRecordings } = await import('./show.ts');
        return showRecordings(folderOf(given), flags);
      }),
    );
};

/** Records what venues send, as it came, in segments that prove whether they are whole. */
export const recorder: Module = {
  id: 'recorder',
  settings: [{ after: 'historyMinFreeMb', specs: SETTINGS }],
  commands: [{ name: 'recordings', after: 'decode', add: addRecordings }],
  off: (settings) => (isOn(settings) ? undefined : 'set RECORD'),
  check: async (settings) => {
    const { unknownWords } = await import('./selection.ts');
    return unknownWords(settings(SETTINGS).record ?? []).map(
      (word) => `--record: ${word} is neither all, nor a kind, nor a venue`,
    );
  },
  open: async (host) => (await import('./open-recorder.ts')).openRecorder(host),
};

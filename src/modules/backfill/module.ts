import { join } from 'node:path';
import { PAST_FILL } from '../../history/past-fill.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Host, Module, OpenModule } from '../../host/module.ts';
import { SERVICE_OPTION } from '../../host/process/demo-file.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { PREVIEW_ASSETS } from '../../products/rows/preview-assets.ts';
import { fill } from '../../runtime/port.ts';
import type { BackfillOptions } from './command.ts';
import type { BackfillSettings } from './open-backfill.ts';

/** The settings of how much of the past is asked for, which the past of spot follows, too. */
export const BACKFILL_SETTINGS = {
  backfillDays: {
    flag: 'backfill-days',
    env: 'BACKFILL_DAYS',
    type: 'integer',
    fallback: '30',
    minimum: 0,
    maximum: 400,
    about:
      'days of the past that are asked of the venues themselves, at the first start, and at each further one since the last; a gap while the service runs is asked for at the next start; 0 asks nothing',
  },
  backfillContracts: {
    flag: 'backfill-contracts',
    env: 'BACKFILL_CONTRACTS',
    type: 'integer',
    fallback: '100',
    minimum: 1,
    maximum: 5000,
    about: 'contracts of each venue whose past is asked for, the most traded first',
  },
} as const satisfies SettingSpecs;

const addBackfill: AddCommand = (program) => {
  program
    .command('backfill')
    .description('show how far the back-fill of a running service is, until it is done')
    .option('--url <base>', SERVICE_OPTION)
    .action(async (options: BackfillOptions) => {
      const { backfillCommand } = await import('./command.ts');
      process.exitCode = await backfillCommand(options);
    });
};

/** Asks the venues for the past that a process has not seen; nothing where it does not both collect and record. */
async function openModule(host: Host, settings: BackfillSettings): Promise<OpenModule> {
  const { history, collector, market, clock, load, health, logger, options } = host;
  const { roles } = options;
  const fills = roles === undefined || (roles.has('collect') && roles.has('record'));
  if (history === undefined || settings.days === 0 || !fills) return {};
  const [{ openBackfill }, { openProgress }, { backfillMetrics }, { pastFill }] = await Promise.all([
    import('./open-backfill.ts'),
    import('./progress.ts'),
    import('./metrics.ts'),
    import('./backfill-state.ts'),
  ]);
  const backfill = openBackfill({
    ...settings,
    collector,
    history,
    progress: openProgress(join(options.dataDir, 'backfill')),
    clock,
    logger,
    view: market.view,
    priorityAssets: PREVIEW_ASSETS,
    // A stand-by asks for nothing that it cannot write.
    isHeld: () => load.isShed('backfill') || !history.isWriting,
    areAllLive: () => health.all().every(({ status }) => status === 'live'),
  });
  return {
    metrics: backfillMetrics(backfill),
    ports: [fill(PAST_FILL, () => pastFill(backfill.state()))],
    start: () => {
      backfill.start();
      return undefined;
    },
    stop: () => backfill.stop(),
  };
}

/** The past of contracts from the venues' own histories. */
export const backfill: Module = {
  id: 'backfill',
  settings: [{ after: 'historyMinFreeMb', specs: BACKFILL_SETTINGS }],
  commands: [{ name: 'backfill', after: 'venues', add: addBackfill }],
  products: async () => ({ health: [(await import('./health.ts')).backfillHealth] }),
  open: (host) => {
    const { backfillDays: days, backfillContracts: contractsPerVenue } = host.settings(BACKFILL_SETTINGS);
    return openModule(host, { days, contractsPerVenue });
  },
};

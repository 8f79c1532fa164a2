import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { DoctorOptions } from './command.ts';

type DoctorFlags = DoctorOptions & Partial<Record<'venue' | 'venueBases' | 'dataDir', string>>;

const addDoctor: AddCommand = (program, host) => {
  const doctor = program
    .command('doctor')
    .description('check this machine; with --live, ask every venue once and say what is not as declared')
    .option('--live', 'ask the venues, within their rate limits')
    .option('--venue <ids>', 'these venues only, comma separated; all without it')
    .option('--json', 'one JSON report instead of tables')
    .option('--payloads <folder>', 'write redacted payloads of what is wrong, for a report')
    .option('--gap <seconds>', 'time between two looks at the quotes; 0 = one look', '60')
    .option('--timeout <seconds>', 'end after this time with what was learned', '300');
  host
    .withSettings(doctor, ['venueBases', 'dataDir'])
    .action(async ({ venue, venueBases, dataDir, ...options }: DoctorFlags) => {
      const read = host.settingsFrom({ venues: venue, venueBases, dataDir });
      if (read === undefined) {
        process.exitCode = 2;
        return;
      }
      const { doctorCommand } = await import('./command.ts');
      process.exitCode = await doctorCommand(read.settings, options);
    });
};

/** Checks the machine, or asks every venue for everything once and judges the answers. */
export const doctor: Module = {
  id: 'doctor',
  commands: [{ name: 'doctor', after: 'venues', add: addDoctor }],
};

import type { AddCommand } from '../../host/command.ts';
import { reading } from '../../host/open-modules.ts';
import { keysPathOf } from './settings.ts';
import type { VerifyOptions } from './verify.ts';

export const addVerify: AddCommand = (program) => {
  program
    .command('verify')
    .description('check a bought answer against its receipt; no network')
    .argument('<answer>', 'the body, as buy --out writes it')
    .argument(
      '<receipt>',
      'its receipt, as buy --receipt writes it or as it came in the header perpmeter-receipt',
    )
    .option(
      '--keys <file>',
      'published keys of the seller: /.well-known/did.json; default those beside the receipt',
    )
    .option('--proof <file>', 'proof of inclusion: /v1/receipts/proof/<day>/<leaf>')
    .option('--exact', 'the same JSON in other bytes will not do')
    .option('--request <path>', 'path and query that were asked')
    .option('--payer <address>', 'who paid')
    .option('--transaction <hash>', 'by which transaction')
    .addHelpText('after', '\nExit code: 0 verified, 1 refused, 2 a file cannot be read.')
    .action(async (answer: string, receipt: string, options: VerifyOptions) => {
      const { verifyCommand } = await import('./verify.ts');
      process.exitCode = await verifyCommand(answer, receipt, options);
    });
};

export const addRotate: AddCommand = (program, host) => {
  const rotate = program
    .command('rotate-receipt-key')
    .description('put a new key in the place of the one that signs offers and receipts')
    .option('--create', 'where the file is missing, make it with a key that signs at once');
  host
    .withSettings(rotate, ['dataDir', 'receiptKeys'])
    .action(
      async ({
        create,
        ...flags
      }: Partial<Record<'dataDir' | 'receiptKeys', string>> & { create?: true }) => {
        const read = host.settingsFrom(flags);
        const { rotateReceiptKeys } = await import('./rotate-keys.ts');
        process.exitCode =
          read === undefined ? 2 : rotateReceiptKeys(keysPathOf(reading(read.settings)), create === true);
      },
    );
};

import { tableText } from '../../host/process/table-text.ts';
import type { LedgerDifference } from './chain-comparison.ts';

const HEADER = ['difference', 'payer', 'nonce', 'transaction', 'state', 'ledger', 'chain'] as const;

/**
 * Writes the differences of a comparison, and one line for people about what was compared.
 *
 * @param json one object a line in place of a table
 */
export function sayDifferences(
  differences: readonly LedgerDifference[],
  compared: string,
  json: boolean,
): void {
  const rows = differences.map(rowOf);
  if (json) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else if (rows.length > 0) {
    process.stdout.write(
      tableText(
        HEADER,
        rows.map((row) => HEADER.map((name) => row[name] ?? '')),
      ),
    );
  }
  process.stderr.write(`${compared}, ${differences.length} differences\n`);
}

function rowOf(difference: LedgerDifference): Record<(typeof HEADER)[number], string | null> {
  const { kind, payer, nonce, transaction, state, ledgerAmount, chainAmount } = difference;
  return {
    difference: kind,
    payer,
    nonce: nonce ?? null,
    transaction: transaction ?? null,
    state: state ?? null,
    ledger: ledgerAmount?.toString() ?? null,
    chain: chainAmount?.toString() ?? null,
  };
}

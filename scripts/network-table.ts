/**
 * Writes the table of docs/networks.md from src/pay/networks.json: `npm run docs networks`. With `--check` it writes nothing and
 * exits 1 where the table is out of date.
 */
import data from '../src/pay/networks.json' with { type: 'json' };
import { writeGeneratedPart } from './generated-part.ts';
import { markdownTable } from './markdown-table.ts';

const HEADER = [
  'network',
  '`PAYMENT_NETWORK`',
  'first generation',
  'gas in',
  'a block, s',
  'behind after, s',
];

const rows = data.networks.map(({ title, chainId, v1Name, coin, blockSeconds, behindSeconds }) => [
  title,
  `\`eip155:${chainId}\``,
  v1Name === null ? 'has no name for it' : `\`${v1Name}\``,
  coin,
  String(blockSeconds),
  String(behindSeconds),
]);
writeGeneratedPart('docs/networks.md', 'npm run docs networks', markdownTable(HEADER, rows));

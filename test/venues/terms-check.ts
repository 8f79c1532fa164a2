import type { ContractTerms, StatedTerms, TermName } from '../../src/domain/contract-terms.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import type { ContractTruth } from '../truth/contract-truth.ts';
import type { CheckInput } from './venue-checks.ts';
import { readVenuePage } from './venue-page.ts';

/** The terms of a venue, as VENUE.md writes them. */
export function termsLines(terms: StatedTerms): readonly string[] {
  const { call, confidence, evidence, fields, besideMetrics: beside } = terms;
  const later = beside && `beside the metrics of ${beside.call} (${beside.confidence}). ${beside.evidence}`;
  return [
    `Stated by ${call} (${confidence}). ${evidence}`,
    ...Object.entries(fields).map(([name, { place, unit }]) =>
      unit === 'rule' ? `- ${name}: ${place} (rule)` : `- ${name}: \`${place}\`, ${unit}`,
    ),
    ...Object.entries(beside?.fields ?? {}).map(
      ([name, { place, unit }]) => `- ${name}: \`${place}\`, ${unit}, ${later}`,
    ),
  ];
}

/** Terms that every live contract of a simulated venue has where its list states them. */
const ALWAYS: readonly TermName[] = [
  'tick',
  'lot',
  'minSize',
  'minNotionalUsd',
  'maxLeverage',
  'initialMargin',
  'maintenanceMargin',
];

const SHARE = 1e-9;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SHARE * Math.abs(b);

/** Faults of terms by themselves: nothing is 0 or less, and margins agree with the leverage. */
export function unsoundTerms(terms: ContractTerms): string[] {
  const amounts = Object.entries(terms).filter(([, value]) => typeof value === 'number' && !(value > 0));
  const {
    maxLeverage: leverage,
    initialMargin: initial,
    maintenanceMargin: maintenance,
    lot,
    minSize,
  } = terms;
  const problems = amounts.map(([name, value]) => `${name} ${value}`);
  const say = (isWrong: boolean, text: string) => isWrong && problems.push(text);
  say(leverage !== undefined && !(leverage >= 1 && leverage <= 1001), `leverage ${leverage}`);
  say(initial !== undefined && initial > 1, `initial margin ${initial}`);
  say(maintenance !== undefined && maintenance > (initial ?? 1), `margins ${initial}, ${maintenance}`);
  say(
    leverage !== undefined && initial !== undefined && Math.abs(leverage * initial - 1) > 0.05,
    `leverage ${leverage} beside an initial margin of ${initial}`,
  );
  const lots = lot === undefined || minSize === undefined ? 1 : minSize / lot;
  say(Math.abs(lots - Math.round(lots)) > 1e-6 || lots < 1, `least size ${minSize} of lots of ${lot}`);
  return problems;
}

/** Terms of one contract beside the world's. A step of prices that digits limit as well is no grid of the world's. */
function differences(terms: ContractTerms, truth: ContractTruth): string[] {
  const { tick, priceDigits, lot, minSize } = terms;
  const differs = (name: string, got: number | undefined, expected: number): string[] =>
    got === undefined || isNear(got, expected) ? [] : [`${name} ${got} instead of ${expected}`];
  return [
    ...(priceDigits === undefined ? differs('tick', tick, truth.tick) : []),
    ...differs('lot', lot, truth.lot),
    ...differs('minSize', minSize, truth.lot),
    ...unsoundTerms(terms),
  ];
}

/** Terms that a patch states. */
function termsBeside({ maxLeverage, openInterestLimitUsd }: Partial<QuotePatch> = {}): ContractTerms {
  return {
    ...(maxLeverage !== undefined && { maxLeverage }),
    ...(typeof openInterestLimitUsd === 'number' && { openInterestLimitUsd }),
  };
}

/** Terms are declared with evidence, read where the list states them, and those that the world has. */
export function termProblems({ adapter, run, truth }: CheckInput): string[] {
  const { terms: declared } = adapter;
  if (declared === undefined)
    return adapter.stamps === undefined ? [] : ['no word on the terms of contracts'];
  const text = readVenuePage(adapter)?.text.replaceAll(/\s+/g, ' ');
  const unsaid = termsLines(declared).filter((line) => text?.includes(line) === false);
  const fields = { ...declared.fields, ...declared.besideMetrics?.fields };
  const wanted = ALWAYS.filter((name) => fields[name] !== undefined);
  const wrong = truth.flatMap((row) => {
    const instrument = row.live ? run.instruments.get(row.symbol) : undefined;
    if (instrument === undefined) return [];
    const terms = { ...instrument.terms, ...termsBeside(run.quotes.get(row.symbol)) };
    const missing = wanted.filter((name) => terms[name] === undefined).map((name) => `no ${name}`);
    return [...missing, ...differences(terms, row)].map((problem) => `${row.symbol}: ${problem}`);
  });
  return [...unsaid.map((line) => `VENUE.md lacks: ${line}`), ...wrong.slice(0, 5)];
}

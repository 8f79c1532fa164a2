import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/venues/recordings.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { asBps } from '../../domain/units.ts';
import { type ContractTable, contractList, ownTakerFee } from './contract.ts';
import { derived, field, hours, required, text } from './field.ts';

const TABLE: ContractTable = {
  venue: 'okx',
  symbol: 'name',
  leftOut: ({ status }) => (status === undefined ? undefined : 'not_trading'),
  base: derived(({ symbol }) => symbol),
  quote: 'USDT',
  contractSize: 1,
  assetClass: field<AssetClass>('kind', () => undefined),
  fundingIntervalHours: hours('interval'),
  indexId: text('index'),
  takerFeeBps: ownTakerFee('fee', asBps(5)),
};

const decode = (row: object, table = TABLE) =>
  contractList(() => [{ name: 'BTC', ...row }], table)([], contextOf());

describe('optional fields of a contract', () => {
  it.each([
    [{ fee: 'x' }, 'malformed', 'fee'],
    [{ fee: '0.02' }, 'out_of_range', 'fee'],
    [{ fee: -0.0001 }, 'out_of_range', 'fee'],
    [{ interval: 'daily' }, 'malformed', 'interval'],
    [{ interval: 25 }, 'out_of_range', 'interval'],
  ])('that a default would replace are a fault where %j cannot be read', (row, reason, detail) => {
    const { instruments, rejects } = decode(row);
    expect(instruments).toHaveLength(1);
    expect(instruments[0]).not.toHaveProperty('takerFeeBps');
    expect(instruments[0]).not.toHaveProperty('fundingIntervalHours');
    expect(rejects).toEqual([{ symbol: 'BTC', reason, detail }]);
  });

  it.each([{}, { fee: '', interval: null }, { interval: 0 }, { fee: '0.0005' }])(
    'that %j does not state, or states as usual, are absent without a fault',
    (row) => {
      const { instruments, rejects } = decode(row);
      expect(instruments[0]).not.toHaveProperty('takerFeeBps');
      expect(instruments[0]).not.toHaveProperty('fundingIntervalHours');
      expect(rejects).toEqual([]);
    },
  );

  it('that differ from the usual are kept, a fee of zero too', () => {
    expect(decode({ fee: '0', interval: '4' }).instruments).toMatchObject([
      { takerFeeBps: 0, fundingIntervalHours: 4 },
    ]);
  });

  it('of a class with a new name, or that are a text, are no fault', () => {
    expect(decode({ kind: 'of its own', index: 'BTC7' }).rejects).toEqual([]);
  });

  it.each(['kind', 'index'])('that are an object in the place of a text are a fault: %s', (detail) => {
    const { instruments, rejects } = decode({ [detail]: { odd: 1 } });
    expect(instruments).toHaveLength(1);
    expect(rejects).toEqual([{ symbol: 'BTC', reason: 'malformed', detail }]);
  });

  it('that the call always states are a fault where they are missing', () => {
    const table = { ...TABLE, fundingIntervalHours: required(hours('interval')) };
    expect(decode({}, table)).toMatchObject({
      instruments: [{ symbol: 'BTC' }],
      rejects: [{ symbol: 'BTC', reason: 'missing_field', detail: 'interval' }],
    });
  });

  it('of a contract that is left out are not judged', () => {
    expect(decode({ status: 'closed', fee: 'x' }).rejects).toEqual([
      { symbol: 'BTC', reason: 'not_trading' },
    ]);
  });
});

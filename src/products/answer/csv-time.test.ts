import Type from 'typebox';
import { expect, it } from 'vitest';
import { type CsvTime, timeFault, timesOf, withTimes } from './csv-time.ts';
import { nullable, text, timestamp } from './schema.ts';

const row = Type.Object({ day: text('Day'), start: timestamp('Start'), end: nullable(timestamp('End')) });
const rows = [
  { day: '2026-11-30', start: '2026-11-30T16:53:18.987Z', end: null },
  { day: '2027-01-01', start: '2026-12-31T23:59:59.999Z', end: '2027-01-01T00:00:00.000Z' },
];
const written = (time: CsvTime) => withTimes(rows, timesOf(row), time).map(({ start, end }) => [start, end]);

it('excel: date and time of day in UTC, seconds rounded down', () => {
  expect(written('excel')).toEqual([
    ['2026-11-30 16:53:18', null],
    ['2026-12-31 23:59:59', '2027-01-01 00:00:00'],
  ]);
});

it('epoch_ms: Unix milliseconds; iso: as in JSON', () => {
  expect(written('epoch_ms')).toEqual([
    [1796057598987, null],
    [1798761599999, 1798761600000],
  ]);
  expect(written('iso')).toEqual(rows.map(({ start, end }) => [start, end]));
});

it('a day is no moment: it is the same in each form', () => {
  expect(withTimes(rows, timesOf(row), 'epoch_ms').map(({ day }) => day)).toEqual([
    '2026-11-30',
    '2027-01-01',
  ]);
});

it('a form of times without CSV: a fault, but of the default', () => {
  const faultOf = (format: string, time: CsvTime) => timeFault({ format, time })?.errors?.[0]?.parameter;
  expect(['json', 'parquet'].map((format) => faultOf(format, 'excel'))).toEqual(['time', 'time']);
  expect([faultOf('json', 'iso'), faultOf('csv', 'excel'), faultOf('csv', 'epoch_ms')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

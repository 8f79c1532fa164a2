import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { CSV_TIMES, type CsvTime } from '../../src/products/answer/csv-time.ts';
import { createExampleApi, type ExampleApi, requestOf } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off', coalesceMs: 0 });
  base = await example.start();
});
afterAll(() => example.api.close());

const OF_CSV = ROUTES.filter(({ fileTypes = [] }) => fileTypes.some((type) => type.startsWith('text/csv')));
/** Routes whose rows have a moment, in the example. */
const WITH_MOMENTS = ['backtest-data', 'data-quality-gaps', 'data-quality-incidents'];

/** A moment that is all of a cell. */
const MOMENT = /(?<=^|,)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=,|\r$)/gm;

const IN_FORM: Readonly<Record<CsvTime, (moment: string) => string>> = {
  iso: (moment) => moment,
  excel: (moment) => `${moment.slice(0, 10)} ${moment.slice(11, 19)}`,
  epoch_ms: (moment) => String(Date.parse(moment)),
};

describe('times in CSV', () => {
  it('every route of CSV takes the one parameter, and no other route', () => {
    const taking = ROUTES.filter(({ queryParameters }) => queryParameters.has('time'));
    expect(taking.map(({ id }) => id)).toEqual(OF_CSV.map(({ id }) => id));
    const [first] = taking.map(({ queryParameters }) => queryParameters.get('time'));
    for (const { queryParameters } of taking) expect(queryParameters.get('time')).toEqual(first);
  });

  it.each(OF_CSV.map((route) => [route.id, route] as const))(
    '%s: every cell but moments alike',
    async (id, route) => {
      const ask = async (time: CsvTime) => {
        const { status, body } = await getRaw(base, `${requestOf(route)}&format=csv&time=${time}`);
        expect(status).toBe(200);
        return body.toString();
      };
      const { body } = await getRaw(base, `${requestOf(route)}&format=csv`);
      const sold = body.toString();
      for (const time of CSV_TIMES) expect(await ask(time)).toBe(sold.replaceAll(MOMENT, IN_FORM[time]));
      expect(sold.search(MOMENT) !== -1).toBe(WITH_MOMENTS.includes(id));
    },
  );

  it.each(OF_CSV.map((route) => [route.id, route] as const))(
    '%s: refused of what is no CSV',
    async (_, route) => {
      const asked = `${requestOf(route)}&time=excel`;
      const refused = await getRaw(base, asked);
      expect([refused.status, json(refused)]).toMatchObject([
        400,
        { code: 'invalid_parameter', instead: `${asked}&format=csv` },
      ]);
      const asBefore = await getRaw(base, `${requestOf(route)}&time=iso`);
      expect([asBefore.status, asBefore.headers.get('content-type')]).toEqual([200, 'application/json']);
    },
  );
});

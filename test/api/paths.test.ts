import { METHODS } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PathsSoakResult, soakPaths } from '../soak/paths-run.ts';
import { createExampleApi } from './example-api.ts';
import { sendRaw } from './raw-http.ts';

/** A tenth of what `npm run soak paths` does. */
const REQUESTS = 2000;

describe('malformed request targets over kept-alive connections', () => {
  let result: PathsSoakResult;
  beforeAll(async () => {
    result = await soakPaths({ seed: 1, requests: REQUESTS });
  });

  it('paid routes: no data without a settled payment, and no 5xx', () => {
    expect(result.problems).toEqual([]);
  });

  it('cover sales, free pages and every kind of refusal', () => {
    expect([...result.statuses.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 402, 404, 405]));
    expect(result.sold).toBeGreaterThan(20);
    expect(result.free).toBeGreaterThan(20);
  });
});

// A method that Node.js does not know its parser refuses by itself: 20.19 does not know QUERY.
const ODD_REQUESTS: readonly (readonly [what: string, head: string])[] = [
  ['QUERY without a content type', 'QUERY /nowhere HTTP/1.1\r\n'],
  [
    'a body that is not the JSON it says',
    'POST /nowhere HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1\r\n',
  ],
  ['a body of an unknown type', 'POST /nowhere HTTP/1.1\r\nContent-Type: a/b\r\nContent-Length: 1\r\n'],
];

it.each(ODD_REQUESTS.filter(([, head]) => METHODS.includes(head.split(' ')[0] ?? '')))(
  '%s at a path that is not there is a 404',
  async (_what, head) => {
    const example = createExampleApi();
    try {
      const text = `${head}Host: localhost\r\nConnection: close\r\n\r\n${head.startsWith('POST') ? '{' : ''}`;
      const { status, body } = await sendRaw(await example.start(), text);
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'unknown_route' });
      expect(example.faults).toEqual([]);
    } finally {
      await example.api.close();
    }
  },
);

import { describe, it } from 'vitest';
import {
  AT,
  contextFor,
  expectBook,
  expectRefusal,
  expectSettled,
} from '../../../test/venues/simulated-reads.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

describe('simulated lighter', () => {
  it('states the book of 1000PEPE over REST by single orders', () => {
    const market = contextFor('lighter').get('1000PEPE')?.altId;
    expectBook('lighter', '1000PEPE', `/api/v1/orderBookOrders?market_id=${market}&limit=250`);
  });

  it('states the rates charged, signed by direction', () => {
    const market = contextFor('lighter').get('SOL')?.altId;
    const query = `market_id=${market}&resolution=1h&start_timestamp=${AT - 24 * HOUR_MS}&end_timestamp=${AT}&count_back=0`;
    expectSettled('lighter', 'SOL', `/api/v1/fundings?${query}`);
  });

  it('refuses an unknown market in an error body', () => {
    expectRefusal('lighter', '/api/v1/orderBookOrders?market_id=9999', 400);
  });
});

/** A process of its own that serves a paid stream: prints its id once its first minute is served, and waits to be killed. */
import { createOwner } from '../../src/storage/process-owner.ts';
import { streamMarket, streamRig } from './stream-rig.ts';

const market = streamMarket();
market.list('binance', ['BTC']);
market.quote('binance', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 8 });
market.pass(0);
const rig = streamRig(market, { folder: process.argv[2] ?? '', owner: createOwner() });
const id = rig.buy(2);
const { sink } = await rig.read(id);
if (sink.last?.event !== 'snapshot') throw new Error('not served');
console.log(id);
setInterval(() => {}, 60_000);

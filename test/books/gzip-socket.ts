import { gunzipSync } from 'node:zlib';
import { createWorld } from '@perpmeter/sim/create-world';
import type { SimConnection, SimSession, SimVenue } from '@perpmeter/sim/venue';
import { describe, expect, it } from 'vitest';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { contract } from './book-rig.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);

/** A client of a simulated socket: all texts that came, and whether it was left. */
function visit(sim: SimVenue, path: string) {
  const texts: string[] = [];
  const closed: (number | undefined)[] = [];
  const connection: SimConnection = {
    path,
    send: (frame) => {
      expect(Buffer.isBuffer(frame)).toBe(true);
      texts.push(gunzipSync(frame).toString());
    },
    close: (code) => closed.push(code),
  };
  const session = sim.socket?.(connection, world);
  if (session === undefined) throw new Error('no socket');
  session.onTick(AT);
  return { texts, closed, session };
}

function seconds(session: SimSession, from: number, to: number, each: () => void = () => {}): void {
  for (let s = from; s <= to; s++) {
    session.onTick(AT + s * 1000);
    each();
  }
}

interface GzipSocket {
  readonly sim: SimVenue;
  readonly adapter: VenueAdapter;
  readonly path: string;
  readonly isPing: (text: string) => boolean;
}

/** A suite on a simulated socket whose frames are packed and that pings in text. */
export function describeGzipSocket({ sim, adapter, path, isPing }: GzipSocket): void {
  describe(`the simulated socket of ${adapter.id}`, () => {
    const { stream } = adapter.books ?? {};

    it('pings, and leaves a client that does not answer', () => {
      const { texts, closed, session } = visit(sim, path);
      seconds(session, 1, 19);
      expect(texts.filter(isPing)).toHaveLength(3);
      expect(closed).toEqual([]);
      seconds(session, 20, 32);
      expect(closed.length).toBeGreaterThan(0);
    });

    it('stays with a client that answers as the adapter does', () => {
      const { texts, closed, session } = visit(sim, path);
      seconds(session, 1, 60, () => {
        const last = texts.splice(0).find(isPing);
        if (last === undefined) return;
        const pong = stream?.pong?.(last === 'Ping' ? last : JSON.parse(last));
        session.onMessage(pong ?? 'no answer');
      });
      expect(closed).toEqual([]);
    });

    it('refuses what it does not have, ends what is unsubscribed from', () => {
      const { texts, session } = visit(sim, path);
      const [bad = '', topic = ''] = ['NONE-USDT', 'ETH-USDT'].map(
        (symbol) => stream?.topicOf(contract(adapter.id, symbol)) ?? '',
      );
      for (const frame of stream?.subscribe([bad], 1) ?? []) session.onMessage(frame);
      expect(texts.splice(0)[0]).toMatch(/invalid topic|80015/);
      for (const frame of stream?.subscribe([topic], 2) ?? []) session.onMessage(frame);
      expect(texts.splice(0)).toHaveLength(2);
      seconds(session, 1, 3);
      expect(texts.splice(0).filter((text) => !isPing(text))).toHaveLength(3);
      for (const frame of stream?.unsubscribe?.([topic], 3) ?? []) session.onMessage(frame);
      texts.splice(0);
      seconds(session, 4, 8);
      expect(texts.filter((text) => !isPing(text))).toEqual([]);
    });
  });
}

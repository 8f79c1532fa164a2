import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';
import { eachWithStream, type StreamRig, subscribed } from '../../test/collect/stream-rig.ts';
import { TappedLine, Wire, type WireTap } from './wire.ts';

const LINE = { venue: 'v', kind: 'tickers', stream: 'marks' } as const;

/** Notes all that it hears as one line each. */
class Notes implements WireTap {
  readonly heard: string[] = [];

  opened: WireTap['opened'] = ({ venue }, connection) => this.heard.push(`opened ${venue} ${connection}`);

  frame: WireTap['frame'] = ({ stream }, connection, bytes, isBinary) =>
    this.heard.push(`frame ${stream} ${connection} ${isBinary ? bytes.toString('hex') : bytes.toString()}`);

  closed: WireTap['closed'] = (_line, connection, reason) =>
    this.heard.push(`closed ${connection} ${reason}`);

  answer: WireTap['answer'] = ({ line, base, method, path, status, payload }) =>
    this.heard.push(`${line.venue} ${line.kind} ${base} ${method} ${path} ${status} ${payload}`);
}

describe('frames on the wire', () => {
  let rig: StreamRig;
  eachWithStream((made) => {
    rig = made;
  });

  it('a connection with reconnect and end: heard in order, frames included', async () => {
    const wire = new Wire();
    const notes = new Notes();
    wire.listen(notes);
    const stream = rig.open({}, { line: new TappedLine(wire, LINE) });
    const first = await rig.peerAt(0);
    first.socket.send('[{"symbol":"A"} ]');
    await rig.until(() => expect(rig.frames).toHaveLength(1));
    first.socket.terminate();
    await rig.until(() => expect(stream.stats().open).toBe(0));
    await rig.time.advance(1000);
    const second = await rig.peerAt(1);
    await rig.until(() => expect(subscribed(second)).toHaveLength(3));
    stream.close();
    expect(notes.heard).toEqual([
      'opened v 0',
      'frame marks 0 [{"symbol":"A"} ]',
      'closed 0 closed 1006',
      'opened v 0',
      'closed 0 ended',
    ]);
  });

  it('a packed frame: heard as text; a broken one: heard as it came', async () => {
    const wire = new Wire();
    const notes = new Notes();
    wire.listen(notes);
    const stream = rig.open({ compression: 'gzip' }, { line: new TappedLine(wire, LINE) });
    const peer = await rig.peerAt(0);
    peer.socket.send(gzipSync('[1]'));
    peer.socket.send(Buffer.from('1f8b00', 'hex'));
    await rig.until(() => expect(stream.stats().frames).toBe(2));
    expect(notes.heard.slice(1)).toEqual(['frame marks 0 [1]', 'frame marks 0 1f8b00']);
  });

  it('a tap that throws: counted, and the frame is decoded', async () => {
    const wire = new Wire();
    const fail = (): never => {
      throw new Error('tap');
    };
    wire.listen({ opened: fail, frame: fail, closed: fail, answer: fail });
    const stream = rig.open({}, { line: new TappedLine(wire, LINE) });
    (await rig.peerAt(0)).send([{ symbol: 'A' }]);
    await rig.until(() => expect(rig.frames).toHaveLength(1));
    expect(stream.stats().faults).toBe(2);
  });
});

describe('answers on the wire', () => {
  let rig: CollectorRig;
  eachWithRig((made) => {
    rig = made;
  });

  it('answers of polls and calls: heard with their kind, refusals too', async () => {
    rig.answers['/v/marks'] = (res) => res.writeHead(500).end('no');
    const collector = rig.collect([rig.venueAt('v')]);
    const notes = new Notes();
    const end = collector.wire.listen(notes);
    await collector.start();
    await rig.until(() => expect(notes.heard.some((line) => line.includes('/marks 500 no'))).toBe(true));
    expect(notes.heard[0]).toMatch(/^v instruments rest GET \/instruments 200 \[/);
    await collector.request('v', { method: 'GET', path: '/instruments?key=1' });
    expect(notes.heard.at(-1)).toMatch(/^v history rest GET \/instruments\?key=1 200 \[/);
    end();
    const before = notes.heard.length;
    await collector.request('v', { method: 'GET', path: '/instruments' });
    expect(notes.heard).toHaveLength(before);
  });
});

it('a second listener of one wire: refused until the first has ended', () => {
  const wire = new Wire();
  const end = wire.listen(new Notes());
  expect(() => wire.listen(new Notes())).toThrow('another listens');
  end();
  wire.listen(new Notes());
  expect(wire.tap).toBeDefined();
});

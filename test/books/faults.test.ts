import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookUpdate } from '../../src/domain/book.ts';
import { BookRig } from './book-rig.ts';
import { type ModelRule, ModelVenue, modelFeed, RULES } from './model-venue.ts';
import type { PlainLevels } from './plain-book.ts';

/** Fates of the next message, or of the connection. */
const EVENTS = [
  'deliver',
  'deliver',
  'deliver',
  'drop',
  'duplicate',
  'reorder',
  'cross',
  'malformed',
  'disconnect',
  'wait',
  'answer',
  'answer late',
  'refuse',
  'old snapshot',
] as const;

type Event = (typeof EVENTS)[number];

const SYMBOL = 'A';
/** Schedules of each rule; more for a thorough run. */
const RUNS = Number(process.env.PERPMETER_BOOK_RUNS ?? 60);

/** A venue with faults before the books under test. */
class Scene {
  readonly rig: BookRig;
  readonly venue: ModelVenue;
  readonly #rule: ModelRule;
  #answered = 0;
  #served = 0;
  #reordered: string | undefined;

  constructor(rule: ModelRule, seed: number) {
    this.#rule = rule;
    this.rig = new BookRig(modelFeed(rule));
    this.venue = new ModelVenue(SYMBOL, rule, seed);
    this.rig.follow(SYMBOL);
    this.#greet();
  }

  async play(event: Event): Promise<void> {
    this.#greetRenewals();
    await this.#happen(event);
    this.check();
    this.rig.pass(100);
    this.check();
  }

  /** Where only frames are numbered, nothing tells an old book that is sent in turn from a new one. */
  get #tellsOldBooks(): boolean {
    return this.#rule.initialSnapshot !== 'rest' && this.#rule.isNumberedByConnection !== true;
  }

  async #happen(event: Event): Promise<void> {
    const { venue, rig } = this;
    switch (event) {
      case 'cross':
        this.#send(venue.move(true));
        break;
      case 'drop':
        venue.frame(venue.move());
        break;
      case 'duplicate':
        this.#sendTwice(venue.move());
        break;
      case 'reorder':
        this.#reordered = venue.frame(venue.move());
        break;
      case 'malformed':
        venue.move();
        this.#push(venue.badFrame());
        break;
      case 'disconnect':
        this.#reconnect();
        break;
      case 'wait':
        rig.pass(1000);
        break;
      case 'answer':
      case 'answer late':
        await this.#answer(event === 'answer' ? 0 : 3);
        break;
      case 'refuse':
        for (const ask of [...rig.asks]) await ask.answer(undefined);
        break;
      case 'old snapshot':
        if (this.#tellsOldBooks) this.#send(venue.whole(Math.max(0, venue.sequence - 4)));
        break;
      default:
        this.#send(venue.move());
    }
  }

  /** The venue works again: changes come, REST answers. */
  async recover(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      this.#greetRenewals();
      this.#send(this.venue.move());
      this.check();
      await this.#answer(0);
      this.check();
      this.rig.pass(250);
      this.check();
    }
  }

  /**
   * The served book is the venue's true one after some message, all before it included, and not crossed. Where
   * messages are numbered, it never goes back to an earlier one.
   */
  check(): void {
    const levels = this.rig.levels(SYMBOL);
    if (levels === undefined) return;
    const at = this.venue.history.findLastIndex((truth) => same(truth, levels));
    expect(at, `served a book that never was: ${JSON.stringify(levels)}`).toBeGreaterThanOrEqual(0);
    if (this.#isNumbered && this.rig.quote(SYMBOL)?.source === 'stream') {
      expect(at, 'served an earlier book again').toBeGreaterThanOrEqual(this.#served);
      this.#served = at;
    }
    expect(levels.bids[0]?.[0] ?? 0).toBeLessThan(levels.asks[0]?.[0] ?? 1e9);
  }

  get #isNumbered(): boolean {
    return this.#rule.isNumberedByConnection !== true;
  }

  #send(message: BookUpdate): void {
    this.#push(this.venue.frame(message));
  }

  #sendTwice(message: BookUpdate): void {
    const frame = this.venue.frame(message);
    this.#push(frame);
    this.#push(frame);
  }

  #push(frame: string): void {
    this.rig.push(frame);
    const late = this.#reordered;
    this.#reordered = undefined;
    if (late !== undefined) this.rig.push(late);
  }

  #reconnect(): void {
    this.#reordered = undefined;
    this.rig.books.lost([SYMBOL], 1);
    this.venue.move();
    this.venue.reconnect();
    this.rig.books.subscribed([SYMBOL], 1);
    this.#greet();
  }

  async #answer(lag: number): Promise<void> {
    for (const ask of [...this.rig.asks]) await ask.answer(this.venue.rest(lag));
  }

  /** A subscription is answered with a snapshot, where the venue sends one. */
  #greet(): void {
    if (this.#rule.initialSnapshot !== 'rest') this.#send(this.venue.whole());
  }

  #greetRenewals(): void {
    for (; this.#answered < this.rig.renewed.length; this.#answered++) this.#greet();
  }
}

function same(a: PlainLevels, b: PlainLevels): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

describe.each(Object.entries(RULES))('%s', (_, rule: ModelRule) => {
  it('no wrong book, and a right one five seconds after any fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }),
        fc.nat(),
        async (events, seed) => {
          const scene = new Scene(rule, seed);
          for (const event of events) await scene.play(event);
          await scene.recover(5000);
          expect(scene.rig.levels(SYMBOL)).toEqual(scene.venue.truth);
          expect(scene.rig.quote(SYMBOL)).toMatchObject({ source: 'stream', isFresh: true });
        },
      ),
      { numRuns: RUNS },
    );
  });
});

import { BackgroundThrottle } from '../../collect/background-throttle.ts';
import type { Collector } from '../../collect/collector.ts';
import type { CollectLogger } from '../../collect/logger.ts';
import type { PaymentSink } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import { contractKey } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { History } from '../../history/history.ts';
import type { IncidentBoard } from '../../host/incident-board.ts';
import type { MarketView } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { sleep, systemTimer, type Timer } from '../../runtime/timer.ts';
import type { OpenSecondVenue } from './ccxt/second-venue.ts';
import type { QualityDays } from './counts/quality-days.ts';
import { Disagreements } from './disagreements.ts';
import { MinuteLook } from './minute-look.ts';
import { HourlyVolatility } from './readings/hourly-volatility.ts';
import { type PaymentsReader, SettledAgainstShown } from './readings/settled-against-shown.ts';
import { type SecondRead, secondReadBatch } from './second-read-rows.ts';
import { SecondReader } from './second-reader.ts';
import type { ContractComparison, SecondReaderState } from './venue-reading.ts';

/** The schedule of second reads. */
export interface SecondReaderSettings {
  /** Time between two looks at a major asset's contract, ms. */
  readonly everyMs: number;
  /** Loads ccxt; absent where it is not to be used. */
  readonly ccxt?: OpenSecondVenue | undefined;
}

export interface SecondReadingOptions {
  readonly collector: Pick<Collector, 'adapters' | 'instruments' | 'request'>;
  readonly view: Pick<MarketView, 'contract' | 'eachRow'>;
  readonly history:
    | (Pick<History, 'takeAside' | 'waitingSince'> & { readonly reader: PaymentsReader })
    | undefined;
  /** Takes the settled payments that venues state where they are asked. */
  readonly payments: PaymentSink;
  readonly incidents: Pick<IncidentBoard, 'open' | 'close' | 'lasting'>;
  readonly days: QualityDays;
  readonly priorityAssets: readonly string[];
  /** undefined = venues are not asked a second time; ages and payments are counted all the same. */
  readonly settings: SecondReaderSettings | undefined;
  /** True while no request may be made. */
  readonly isHeld: () => boolean;
  readonly clock: Clock;
  readonly timer?: Timer;
  readonly logger: CollectLogger;
}

export interface SecondReadingState extends SecondReaderState {
  compared: number;
  disagreed: number;
  /** Comparisons that the history had no room for. */
  lost: number;
}

/** Part of each rate limit that second readings may use: what a start spends at once stays within 5 % of an hour. */
const SECOND_READER_SHARE = 0.04;
/** Payments are looked for this often: venues tell them some minutes late. */
const PAYMENTS_EVERY_MINUTES = 5;

/** Measures what is shown: asks venues on other ways, compares payments with what was shown, counts how old values are. */
export class SecondReading {
  readonly #options: SecondReadingOptions;
  readonly #timer: Timer;
  readonly #volatility = new HourlyVolatility();
  readonly #disagreements: Disagreements;
  readonly #look: MinuteLook;
  readonly #reader: SecondReader | undefined;
  readonly #settled: SettledAgainstShown | undefined;
  readonly #abort = new AbortController();
  #waiting: SecondRead[] = [];
  #running: Promise<void> | undefined;
  #compared = 0;
  #disagreed = 0;
  #lost = 0;

  constructor(options: SecondReadingOptions) {
    const { view, history, clock, days, settings, incidents } = options;
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#disagreements = new Disagreements(incidents);
    this.#look = new MinuteLook({ rows: () => view.eachRow(), clock, days, volatility: this.#volatility });
    this.#reader = settings && this.#makeReader(settings);
    const intervalOf = (venue: string, symbol: string) => view.contract(venue, symbol)?.fundingIntervalHours;
    this.#settled =
      history &&
      new SettledAgainstShown(
        { reader: history.reader, intervalOf, waitingSince: () => history.waitingSince('settlements') },
        clock.now(),
      );
  }

  start(): void {
    this.#reader?.start();
    this.#running ??= this.#everyMinute();
  }

  /** Ends all questions, and hands over what was compared. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#reader?.stop();
    await this.#running;
    this.#write();
  }

  /** Counters since start. */
  get state(): SecondReadingState {
    const { requests, failures, looks } = this.#reader?.state ?? { requests: 0, failures: 0, looks: 0 };
    return {
      requests,
      failures,
      looks,
      compared: this.#compared,
      disagreed: this.#disagreed,
      lost: this.#lost,
    };
  }

  /** Calls of ccxt that a venue is asked by a second time, as far as it is loaded. */
  ccxtWays(venue: VenueId): readonly string[] {
    return this.#reader?.ccxtWays(venue) ?? [];
  }

  #makeReader({ everyMs, ccxt }: SecondReaderSettings): SecondReader {
    const { collector, view, payments, clock, priorityAssets, logger, isHeld } = this.#options;
    return new SecondReader({
      venues: () => collector.adapters(),
      instruments: (venue) => collector.instruments(venue),
      row: (venue, symbol) => view.contract(venue, symbol),
      send: (venue, request, terms) => collector.request(venue, request, terms),
      throttle: new BackgroundThrottle(clock, this.#timer, isHeld, () => SECOND_READER_SHARE),
      volatilityOf: (venue, symbol, field) => this.#volatility.of(contractKey(venue, symbol), field),
      sink: {
        compared: (venue, symbol, found) => {
          const now = clock.now();
          this.#disagreements.note(venue, symbol, found, now);
          for (const one of found) this.#count('second', { ...one, at: now });
        },
        gone: (venue, symbol) => this.#disagreements.forget(venue, symbol, clock.now()),
        listed: (venue, contracts) => this.#disagreements.keepOnly(venue, contracts, clock.now()),
        decoded: (venue, { funding }) => {
          if (funding.length > 0) payments(venue, funding, clock.now());
        },
      },
      priorityAssets,
      everyMs,
      ccxt,
      clock,
      timer: this.#timer,
      logger,
    });
  }

  #count(kind: 'second' | 'paid', read: (ContractComparison & { readonly at: UnixMs }) | SecondRead): void {
    const { venue, symbol, field, way, at, shown, second, difference, tolerance, agrees } = read;
    const one = { symbol, way, at, shown: shown.value, second: second.value, difference, tolerance };
    this.#options.days.compared(kind, venue, field, agrees, one);
    this.#compared += 1;
    if (!agrees) this.#disagreed += 1;
    this.#waiting.push(read);
  }

  async #everyMinute(): Promise<void> {
    const { signal } = this.#abort;
    for (let minute = 1; !signal.aborted; minute++) {
      await sleep(this.#timer, MINUTE_MS, signal);
      if (signal.aborted) return;
      try {
        await this.#look.look();
        if (minute % PAYMENTS_EVERY_MINUTES === 0) await this.#payments();
        this.#write();
      } catch (cause) {
        this.#options.logger.warn({ reason: reasonOf(cause) }, 'quality of the data could not be counted');
      }
    }
  }

  async #payments(): Promise<void> {
    const found = await this.#settled?.next(this.#options.clock.now());
    for (const read of found ?? []) this.#count('paid', read);
  }

  /** Hands the comparisons to the history; where it has no room they are counted, and their days are kept all the same. */
  #write(): void {
    const reads = this.#waiting.sort((a, b) => a.at - b.at);
    this.#waiting = [];
    const { history, clock } = this.#options;
    const batch = secondReadBatch(reads, clock.now());
    if (batch !== undefined && history?.takeAside(batch) === false) this.#lost += reads.length;
  }
}

import type { Route, Services } from '../../api/route.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { isWire, readNumber, wireArray } from '../../domain/read.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import type { BookName, Plan, Ports } from '../../products/define-product.ts';
import { selectStoredAsset } from '../../products/rows/select-stored.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { type CalendarEvent, timeOf } from '../calendar/event.ts';
import { CALENDAR } from '../calendar/port.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import type { ConditionKind } from '../watch-conditions/condition-kind.ts';
import type { KindTerms, Reading } from '../watch-conditions/kind-readings.ts';
import { kindOf } from '../watch-conditions/kinds.ts';
import type { Observation } from './judge.ts';

/** A product's question that a condition rests on; conditions of equal questions share one. */
export interface Question {
  readonly key: string;
  readonly condition: Condition;
  readonly kind: ConditionKind;
  readonly terms: KindTerms;
  readonly route: Route;
  /** Parameters of the product, as its route has read them. */
  readonly asked: Readonly<Record<string, unknown>>;
}

/** Failures that a later moment may mend: a condition is unknown meanwhile. Every other one is the request's. */
const PASSING: readonly Failure['code'][] = ['not_ready', 'no_data', 'single_venue'];
export const isPassing = ({ code }: Failure): boolean => PASSING.includes(code);

const venuesOf = ({ venue }: Condition): readonly string[] => venue?.split(',') ?? [];

const termsOf = (condition: Condition): KindTerms => ({
  ticker: condition.asset ?? '',
  venues: venuesOf(condition),
  hours: condition.hours ?? 0,
  days: condition.days ?? 0,
  sizeUsd: condition.size_usd ?? 0,
  fees: condition.fees,
});

/**
 * The question of a condition. Fails where the service does not serve its product, as without a history, or where the
 * product refuses its parameters.
 */
export function questionOf(condition: Condition, routes: readonly Route[]): Result<Question> {
  const kind = kindOf(condition.kind);
  const route = routes.find(({ id }) => id === kind.product);
  if (route === undefined)
    return fail({
      code: 'no_data',
      detail: `kind=${condition.kind} reads ${kind.product}, which this service does not serve`,
    });
  const terms = termsOf(condition);
  const { path = {}, query } = kind.asks(terms);
  const read = route.read(Object.entries(path), Object.entries(query));
  if (!read.ok) return read;
  const { kind: name, asset = '', venue = '', hours = 0, days = 0 } = condition;
  const text = JSON.stringify([name, asset, venue, hours, days, read.value]);
  return ok({ key: text, condition, kind, terms, route, asked: read.value });
}

/** Ports as a question's product sees them. */
function portsFor({ kind }: Question, ports: Ports): Services {
  const { history: _, ...ofNow } = ports;
  // The products that conditions read are none of the service's own documents: they look at no more than `Ports`.
  return (kind.ofNow === true ? ofNow : ports) as Services;
}

/** The plan of a question's answer. */
export const planOf = (question: Question, ports: Ports): Result<Plan> =>
  question.route.plan(question.asked, portsFor(question, ports));

/** Books that a question rests on. */
export function booksOf(question: Question, ports: Ports): readonly BookName[] {
  const plan = planOf(question, ports);
  return plan.ok ? (plan.value.books?.() ?? []) : [];
}

/** Asks a question of the present. */
export function ask(question: Question, ports: Ports): Observation | Promise<Observation> {
  const plan = planOf(question, ports);
  if (!plan.ok) return unknown(plan.error.code);
  // A look is an ask: the books of a condition stay wanted.
  for (const { venue, symbol, usd, of = ports.books } of plan.value.books?.() ?? [])
    of.isPending(venue, symbol, usd);
  const made = plan.value.produce();
  return made instanceof Promise
    ? made.then((answer) => observed(question, answer, ports))
    : observed(question, made, ports);
}

/** A reading by its numbers as they are sold: a level decides by what its buyer would read. */
function asSold({ kind }: Question, { value, values, ...others }: Reading): Reading {
  const field = kind.field.split('.').at(-1);
  return { ...others, value: publicNumbers(value, field), values: publicNumbers(values) };
}

const unknown = (reason: string): Observation => ({ value: null, values: {}, rowsAt: undefined, reason });

function observed(question: Question, made: Result<RenderedAnswer>, ports: Ports): Observation {
  if (!made.ok) return unknown(made.error.code);
  const { content, asOf, sources } = made.value;
  if ('bytes' in content) return unknown('no_data');
  const body: unknown = 'write' in content ? (content.body?.() ?? JSON.parse(content.write())) : content.json;
  const found = question.kind.read(body, question.terms);
  // An answer that writes itself has its numbers as they are sold.
  const read = 'write' in content ? found : asSold(question, found);
  const { value, values, atMost, reason = 'no_value', rowsAt = asOf } = read;
  if (question.kind.about === 'asset') {
    if (isVenueAway(question, body, sources?.used ?? [], ports))
      return { value: null, values, rowsAt, reason: 'venue_away' };
    const ends = Object.values(values).filter((each) => typeof each === 'string');
    if (value !== null) lastEnds.set(question, ends);
  }
  if (value !== null) return { value, values, rowsAt };
  return { value, values, rowsAt, reason, ...(atMost !== undefined && { atMost }) };
}

/** The venues between which a question's last known value lay: its kind states no other text. */
const lastEnds = new WeakMap<Question, readonly string[]>();

/**
 * True where an answer over the venues of an asset lacks one that counts: a venue that the condition names; where it names none, one
 * that made the last known value. The others answer another question then.
 */
function isVenueAway(question: Question, body: unknown, used: readonly string[], ports: Ports): boolean {
  const { condition } = question;
  const { venues_considered: considered, venues_not_live: away } = isWire(body) ? body : {};
  const named = venuesOf(condition);
  if (named.length > 0) return (readNumber(considered) ?? 0) < named.length;
  const isLate = (venue: string): boolean =>
    used.length > 0 && !used.includes(venue) && ports.market.lists(venue, condition.asset ?? '');
  return (lastEnds.get(question) ?? []).some(
    (venue) => wireArray(away)?.includes(venue) === true || isLate(venue),
  );
}

/** Lists are read every five or ten minutes: an older one says nothing of now. */
const OLDEST_LIST_MS = 30 * MINUTE_MS;

/**
 * Events of the calendar that a condition is about, in the order of their numbers; undefined where no list is read any more. Of several
 * venues one list is enough: each shows its own events.
 */
export function eventsOf(condition: Condition, ports: Ports): readonly CalendarEvent[] | undefined {
  const calendar = ports.readPort(CALENDAR);
  const venues = venuesOf(condition);
  const asked = venues.length > 0 ? venues : ports.market.venues().map(({ info }) => info.id);
  const oldest = ports.clock.now() - OLDEST_LIST_MS;
  if (!asked.some((venue) => (calendar.watched(venue)?.listAt ?? 0) >= oldest)) return undefined;
  const known = chosenEvents.get(calendar.events) ?? new Map<string, readonly CalendarEvent[]>();
  chosenEvents.set(calendar.events, known);
  const key = `${condition.kind} ${condition.asset ?? ''} ${condition.venue ?? ''}`;
  const isOfAsset = assetFilter(condition, ports);
  const chosen =
    known.get(key) ??
    calendar.events
      .filter((each) => asked.includes(each.venue) && each.kind === condition.kind && isOfAsset(each))
      .sort((a, b) => a.id - b.id);
  known.set(key, chosen);
  return chosen;
}

/** Chosen lists of one state of the calendar: its list is another object once it has changed. */
const chosenEvents = new WeakMap<readonly CalendarEvent[], Map<string, readonly CalendarEvent[]>>();

function assetFilter({ ticker, asset }: Condition, { market }: Ports): (event: CalendarEvent) => boolean {
  if (ticker === undefined) return () => true;
  const found = selectStoredAsset(market, { ticker: asset ?? ticker });
  const canonicalId = found.ok ? found.value.canonicalId : asset;
  return (event) =>
    event.canonicalId === undefined ? event.ticker === ticker : event.canonicalId === canonicalId;
}

/** An event as an observation. */
export const eventSeen = (event: CalendarEvent): Observation => ({
  value: event.id,
  values: {
    event_id: event.id,
    kind: event.kind,
    source: event.source,
    venue: event.venue,
    venue_symbol: event.symbol ?? null,
    ticker: event.ticker ?? null,
    time: new Date(timeOf(event)).toISOString(),
  },
  rowsAt: event.seenAt,
});

import { type Route, routeOf } from '../../api/route.ts';
import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import type { MarketView } from '../../market/view.ts';
import { DAY_MS, SECOND_MS } from '../../runtime/duration.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { newRecord } from '../watch/desk.ts';
import type { RuleState, Watches } from '../watch/port.ts';
import { questionOf } from '../watch/question.ts';
import { watchCheck } from '../watch/watch-check.ts';
import { type AskedCondition, type Condition, readCondition } from '../watch-conditions/condition.ts';
import { CHAT_FORMATS, type ChatFormat } from '../webhook/chat-message.ts';
import { readRulesFile, type WrittenRule } from './rules-file.ts';

/** A rule has no end of its own: it is watched as long as it is in the file. */
const FOREVER_MS = 36_500 * DAY_MS;
const UNLIMITED = 1_000_000_000;
const AGAIN_MS = 5 * SECOND_MS;

interface Understood {
  readonly condition: Condition;
  readonly format: ChatFormat | undefined;
}

export interface RulesOptions {
  readonly desk: Pick<Watches, 'webhookFault' | 'keepRule' | 'keepRules'>;
  readonly market: MarketView;
  readonly routes: readonly Route[];
}

/** Rules are read as requests of the free check are. */
const CHECK = routeOf(watchCheck);

export const ruleId = (name: string): string => `rule-${name}`;

/** The rule's parameters as those of a request; faults of one are those of the other. */
function askedOf({ fields }: WrittenRule, route: Pick<Route, 'read'>): Result<AskedCondition> {
  const parameters = [...fields].filter(([name]) => name !== 'format');
  const read = route.read([], parameters);
  if (!read.ok) return read;
  const asked = read.value as AskedCondition;
  return ok(fields.has('firings') ? asked : { ...asked, firings: UNLIMITED });
}

/** Keeps the operator's rules watched: each is taken up once the lists of contracts that it names are read. */
export class OperatorRules {
  readonly #options: RulesOptions;
  readonly #rules: readonly WrittenRule[];
  readonly #faults = new Map<string, string>();
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(rules: readonly WrittenRule[], options: RulesOptions) {
    this.#rules = rules;
    this.#options = options;
    for (const { name } of rules) this.#faults.set(name, 'not looked at yet');
  }

  get states(): readonly RuleState[] {
    return this.#rules.map(({ name }) => ({
      name,
      watchId: ruleId(name),
      fault: this.#faults.get(name),
    }));
  }

  /** Takes up the rules that are not watched yet; the first time ends those that are in the file no more. */
  turn(now: number): void {
    if (now - this.#triedAt < AGAIN_MS || (this.#faults.size === 0 && this.#triedAt > 0)) return;
    if (this.#triedAt < 0) this.#options.desk.keepRules(new Set(this.#rules.map(({ name }) => ruleId(name))));
    this.#triedAt = now;
    for (const rule of this.#rules) {
      if (!this.#faults.has(rule.name)) continue;
      const understood = this.#understand(rule);
      if (understood.ok) {
        this.#keep(rule, understood.value, now);
      } else this.#faults.set(rule.name, understood.error.detail);
    }
  }

  /** A rule that the store has not taken is tried again. */
  #keep(rule: WrittenRule, understood: Understood, now: number): void {
    const kept = soon(this.#watch(rule, understood, now), () => this.#faults.delete(rule.name));
    if (kept instanceof Promise) kept.catch((cause: unknown) => this.#faults.set(rule.name, reasonOf(cause)));
  }

  #understand(rule: WrittenRule): Result<Understood> {
    const { desk, market, routes } = this.#options;
    const asked = askedOf(rule, CHECK);
    if (!asked.ok) return asked;
    const written = rule.fields.get('format');
    const format = CHAT_FORMATS.find((known) => known === written);
    if (written !== undefined && format === undefined)
      return fail(badParameter('format', `must be one of ${CHAT_FORMATS.join(', ')}`));
    const condition = readCondition(asked.value, market, (address) => desk.webhookFault(address));
    if (!condition.ok) return condition;
    const question = questionOf(condition.value, routes);
    return question.ok ? ok({ condition: condition.value, format }) : question;
  }

  #watch({ name }: WrittenRule, { condition, format }: Understood, now: number): Soon<void> {
    const offered = { id: ruleId(name), secret: undefined, beganAt: now, endsAt: now + FOREVER_MS };
    return this.#options.desk.keepRule({
      ...newRecord(offered, condition, undefined, []),
      rule: name,
      format,
    });
  }
}

/** Everything that is wrong with a file of rules and can be said without a market: its form, and parameters that no condition has. */
export function rulesFileFaults(path: string): readonly string[] {
  const read = readRulesFile(path);
  if (!read.ok) return read.errors;
  return read.rules.flatMap((rule) => {
    const asked = askedOf(rule, CHECK);
    return asked.ok ? [] : [`rule ${rule.name} (line ${rule.line}): ${asked.error.detail}`];
  });
}

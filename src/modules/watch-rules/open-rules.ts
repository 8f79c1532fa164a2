import type { Host, OpenModule } from '../../host/module.ts';
import { fill } from '../../runtime/port.ts';
import { RULES, WATCHES } from '../watch/port.ts';
import { OperatorRules } from './rules.ts';
import { readRulesFile } from './rules-file.ts';
import { SETTINGS } from './settings.ts';

/** The operator's rules, as `check` has found them to be in order. @throws Error where the file changed meanwhile and is not */
export function openRules({ settings, market, routes, readPort }: Host): OpenModule {
  const desk = readPort(WATCHES);
  if (desk === undefined) return {};
  const { watchRules } = settings(SETTINGS);
  const read = watchRules === undefined ? { ok: true as const, rules: [] } : readRulesFile(watchRules);
  if (!read.ok) throw new Error(`WATCH_RULES: ${read.errors.join('; ')}`);
  return { ports: [fill(RULES, new OperatorRules(read.rules, { desk, market: market.view, routes }))] };
}

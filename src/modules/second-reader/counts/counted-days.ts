import { asMs } from '../../../domain/units.ts';
import type { ReportScope } from '../../../products/answer/report.ts';
import { DAY_MS } from '../../../runtime/duration.ts';

/** The window as counts by the day can answer it: from the start of its first day. */
export function wholeDays(scope: ReportScope): ReportScope {
  return { ...scope, from: asMs(Math.floor(scope.from / DAY_MS) * DAY_MS) };
}

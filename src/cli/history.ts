import { iso } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
import { onStore } from '../host/on-store.ts';
import { tableText } from '../host/process/table-text.ts';
import type { Settings } from '../host/settings/settings.ts';
import { checkHistory } from './history-check.ts';

const time = (seconds: number): string => iso(asMs(seconds * 1000));

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(2);

/** Prints completeness by venue and day, and the gaps. Exit code 1 where rows are there twice. */
export function historyCheckCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
): Promise<number> {
  return onStore(settings, async (store) => {
    const check = await checkHistory(store);
    if (!check.ok) return check;
    const { days, gaps, version } = check.value;
    if (json === true) process.stdout.write(`${JSON.stringify(check.value)}\n`);
    else {
      const cells = days.map((day) => [
        ...[time(day.day).slice(0, 10), day.venue, `${day.contracts}`, percent(day.minutes, day.expected)],
        ...[day.expected - day.minutes, day.revisions, day.duplicates].map(String),
      ]);
      process.stdout.write(
        tableText(['day', 'venue', 'contracts', 'complete %', 'missing', 'revisions', 'duplicates'], cells),
      );
      for (const { venue, from, until, reason, rows } of gaps) {
        const lost = rows === 0 ? '' : `, ${rows} rows lost`;
        process.stdout.write(`gap: ${venue} ${time(from)} to ${time(until)}, ${reason}${lost}\n`);
      }
      process.stdout.write(`format version ${version}\n`);
    }
    return { ok: true, value: days.some(({ duplicates }) => duplicates > 0) ? 1 : 0 };
  });
}

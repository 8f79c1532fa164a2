import type { Port } from '../../runtime/port.ts';
import type { CalendarView } from './calendar.ts';

/** The calendar that this process keeps; without one nothing is known of any venue. */
export const CALENDAR: Port<CalendarView> = {
  name: 'calendar',
  absent: { events: [], watched: () => undefined },
};

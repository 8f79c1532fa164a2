import type { VenueId } from '../domain/venue.ts';
import type { TapeListener } from '../tape/listener.ts';

/** Finds rows whose data breaks a rule. */
export interface RowJudge {
  /**
   * Hears all that is decoded before the feed, the history and the modules that listen do, so that a row which it flags is not
   * read before it is flagged. It hears on after the module's `stop`: requests that are under way read rows until the end.
   */
  readonly listens: TapeListener;
  /** The rule that a contract breaks, by the venue's own symbol; undefined where it breaks none. Asked for each row that is judged. */
  readonly flagOf: (venue: VenueId, symbol: string) => string | undefined;
}

/** The first flag that one of several judges gives. */
export function firstFlag(judges: readonly RowJudge[]): RowJudge['flagOf'] {
  return (venue, symbol) => {
    for (const { flagOf } of judges) {
      const flag = flagOf(venue, symbol);
      if (flag !== undefined) return flag;
    }
    return undefined;
  };
}

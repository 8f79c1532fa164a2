/**
 * The number of times that a published figure counts one contract: `two` is long plus short, or maker plus
 * taker.
 */
export type Sides = 'one' | 'two' | 'unknown';

/**
 * The unit of a published figure. `base` is base units as the venue names them (1000PEPE counts blocks of
 * 1000); `mixed` is one of the others, by contract.
 */
export type AmountUnit = 'contracts' | 'base' | 'quote' | 'mixed';

export type Confidence = 'high' | 'medium' | 'low';

/** Unit and sides of a venue's open interest or 24 h volume, by outside evidence. */
export interface PublishedAmount {
  /** Call and field of the venue's own number, the one that is served as `…_raw`. */
  readonly field: string;
  readonly unit: AmountUnit;
  readonly sides: Sides;
  /** The evidence for the sides. */
  readonly evidence: string;
  /** Month or day of that evidence, `2026-10` or `2026-10-06`. */
  readonly date: string;
  readonly confidence: Confidence;
}

/** The last time at which a venue's live interface was seen to match these decoders. */
export interface VerifiedInterface {
  /** The venue's name of the version, and the host where that tells versions apart. */
  readonly version: string;
  /** Day of the newest public evidence, `2026-10-10`. */
  readonly date: string;
  readonly source: string;
  /** When it will be switched off, where the venue has said so of what is read here. */
  readonly ends?: AnnouncedEnd;
}

/** The end of an interface, as its venue announced it. */
export interface AnnouncedEnd {
  /** First day without it, `2027-03-01`. */
  readonly date: string;
  /** The interface that ends, and its successor. */
  readonly what: string;
  readonly source: string;
}

/** Facts about a venue's figures and interface. */
export interface Published {
  readonly openInterest: PublishedAmount;
  /** Open interest of the past, where its call counts otherwise than the live one. */
  readonly historicalOpenInterest?: PublishedAmount;
  /** Rolling 24 h volume. */
  readonly volume: PublishedAmount;
  readonly verified: VerifiedInterface;
}

/** Part of a published figure that counts each contract once. A figure of unknown sides is served as published. */
export function singleSideFactor({ sides }: PublishedAmount): number {
  return sides === 'two' ? 0.5 : 1;
}

const UNITS: Readonly<Record<AmountUnit, string>> = {
  contracts: 'contracts',
  base: 'base units as named',
  quote: 'quote currency',
  mixed: 'base units, contracts or quote currency, by contract',
};

const DOUBLES = { open_interest: 'long plus short', volume_24h: 'both sides of each trade' } as const;

const STORED = {
  one: 'each contract counted once',
  two: 'each contract counted once, half of what the venue says',
  unknown: 'as published, where it is not known whether one or both sides are counted',
} as const;

/**
 * Describes the unit of stored values of a figure in words.
 *
 * @param past of back-filled values, where the venue's call for them counts otherwise
 */
export function storedNote(live: PublishedAmount, past: PublishedAmount = live): string {
  if (past.sides === live.sides) return `Of ${live.field}: ${STORED[live.sides]}.`;
  return `Sampled values are of ${live.field}: ${STORED[live.sides]}. Back-filled ones are of ${past.field}: ${STORED[past.sides]}.`;
}

/** Describes the three numbers of a figure in words. */
export function unitsNote(figure: 'open_interest' | 'volume_24h', amount: PublishedAmount): string {
  const counted = {
    one: 'each contract counted once',
    two: `${DOUBLES[figure]}, so the other two are half of what it says`,
    unknown: 'whether one or both sides are counted is not known, and the other two are as published',
  }[amount.sides];
  return `${figure}_raw is the venue's own number (${amount.field}): ${UNITS[amount.unit]}, ${counted}. ${figure}_base counts units of the base asset, ${figure}_usd the notional in US dollars.`;
}

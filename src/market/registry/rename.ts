/** An asset that changed its name, its unit, or both. Ids are `<asset_class>:<SLUG>`; the slug is the ticker. */
export interface Rename {
  readonly from: string;
  /** The same id as `from` where only the unit changed. */
  readonly to: string;
  /** First day of the new name or unit, `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** New units for one old unit. */
  readonly factor: number;
  /** `separate`: the new name had a past of its own, which the past of the old one is no part of. */
  readonly history: 'joined' | 'separate';
  /** `announced`: venues still list the old name, which the asset keeps until they list the new one. */
  readonly state: 'done' | 'announced';
  /** First day on which the old name is an unrelated asset's. */
  readonly reusedFrom?: string;
  /** Data recorded under the new name before this day is an unrelated asset's. */
  readonly takenFrom?: string;
  readonly evidence: string;
  readonly source: string;
  readonly confidence: 'announced' | 'reported' | 'general_knowledge';
}

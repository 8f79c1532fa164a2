import type { JSX } from 'preact';

/** The meaning of a cell's looks. */
export function Legend(): JSX.Element {
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        <i class="key key-positive" /> longs pay
      </li>
      <li>
        <i class="key key-negative" /> shorts pay
      </li>
      <li>
        <i class="key key-short" /> best short
      </li>
      <li>
        <i class="key key-long" /> best long
      </li>
      <li>
        <i class="key key-unknown">?</i> unknown
      </li>
      <li>
        <i class="key key-stale">old</i> stale
      </li>
      <li>
        <i class="key">≠</i> not compared
      </li>
      <li>
        <i class="key key-unlisted" /> not listed
      </li>
    </ul>
  );
}

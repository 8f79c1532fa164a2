import type { JSX } from 'preact';
import { change, figure, usePlace } from '../place.ts';
import { count } from '../text/number.ts';

/** The page of a long list that the address names. @param most rows of a page */
export function usePage(rows: number, most: number): { readonly page: number; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(rows / most));
  return { page: Math.min(pages, Math.max(1, figure(usePlace().params, 'page') ?? 1)), pages };
}

/** Leads through the pages of a list. */
export function Pages({ page, pages }: { page: number; pages: number }): JSX.Element {
  return (
    <nav class="tools" aria-label="Pages of the table">
      <button type="button" disabled={page === 1} onClick={() => change({ page: page - 1 })}>
        Before
      </button>
      <span>
        {count(page)} of {count(pages)}
      </span>
      <button type="button" disabled={page === pages} onClick={() => change({ page: page + 1 })}>
        Next
      </button>
    </nav>
  );
}

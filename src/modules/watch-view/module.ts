import type { Module } from '../../host/module.ts';

/** Watches on the page: to make one, to follow one's own, and the operator's list; with the table of kinds that it fills in. */
export const watchView: Module = {
  id: 'watch-view',
  needs: ['watch', 'watch-conditions'],
  views: async () => (await import('./views.ts')).VIEWS,
  viewSections: async () => (await import('./views.ts')).VIEW_SECTIONS,
  products: async () => {
    const { watchKinds } = await import('./watch-kinds.ts');
    return { products: [{ product: watchKinds, after: 'watch-check' }] };
  },
};

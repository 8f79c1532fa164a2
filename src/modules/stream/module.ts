import type { Module } from '../../host/module.ts';

/** Rows and their changes as server-sent events: the preview's for everybody, the whole table for the operator. */
export const stream: Module = {
  id: 'stream',
  products: async () => {
    const { streamPreview } = await import('./stream-preview.ts');
    return { products: [{ product: streamPreview, after: 'preview-funding-current-upgrade' }] };
  },
  open: async ({ market, clock }) => {
    const [{ openRowStreams }, { surfaceOf }] = await Promise.all([
      import('./stream-rows.ts'),
      import('./surface.ts'),
    ]);
    return surfaceOf(openRowStreams({ market: market.view, clock }));
  },
};

import type { Module } from '../../host/module.ts';

/** Holds rules of data quality against all that comes in, and keeps what it finds. */
export const audit: Module = {
  id: 'audit',
  products: async () => {
    const [
      { dataQualitySummary },
      { dataQualityCoverage },
      { dataQualityGaps },
      { dataQualityIncidents },
      { auditHealth },
    ] = await Promise.all([
      import('./data-quality-summary.ts'),
      import('./data-quality-coverage.ts'),
      import('./data-quality-gaps.ts'),
      import('./data-quality-incidents.ts'),
      import('./health.ts'),
    ]);
    return {
      products: [
        { product: dataQualitySummary, after: 'health' },
        { product: dataQualityCoverage, after: 'data-quality-summary' },
        { product: dataQualityGaps, after: 'data-quality-coverage' },
        { product: dataQualityIncidents, after: 'data-quality-gaps' },
      ],
      health: [auditHealth],
    };
  },
  viewSections: async () => (await import('./views.ts')).VIEW_SECTIONS,
  open: async (host) => (await import('./open-audit.ts')).openAudit(host),
};

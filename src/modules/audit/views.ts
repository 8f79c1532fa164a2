import type { QualitySection } from '../../host/page-view.ts';

export const QUALITY_SECTIONS: readonly QualitySection[] = [
  { name: 'grades', file: 'src/modules/audit/view/grades.tsx', component: 'Grades' },
  { name: 'incidents', file: 'src/modules/audit/view/incidents.tsx', component: 'Incidents' },
  { name: 'coverage', file: 'src/modules/audit/view/coverage.tsx', component: 'Coverage' },
];

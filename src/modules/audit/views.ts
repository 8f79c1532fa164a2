import type { ViewSection } from '../../host/page-view.ts';

export const VIEW_SECTIONS: readonly ViewSection[] = [
  { view: 'quality', name: 'grades', file: 'src/modules/audit/view/grades.tsx', component: 'Grades' },
  {
    view: 'quality',
    name: 'incidents',
    file: 'src/modules/audit/view/incidents.tsx',
    component: 'Incidents',
  },
  { view: 'quality', name: 'coverage', file: 'src/modules/audit/view/coverage.tsx', component: 'Coverage' },
];

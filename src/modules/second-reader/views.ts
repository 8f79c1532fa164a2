import type { QualitySection } from '../../host/page-view.ts';

export const QUALITY_SECTIONS: readonly QualitySection[] = [
  { name: 'latency', file: 'src/modules/second-reader/view/latency.tsx', component: 'Latency' },
  { name: 'accuracy', file: 'src/modules/second-reader/view/accuracy.tsx', component: 'Accuracy' },
];

import type { ViewSection } from '../../host/page-view.ts';

export const VIEW_SECTIONS: readonly ViewSection[] = [
  {
    view: 'quality',
    name: 'latency',
    file: 'src/modules/second-reader/view/latency.tsx',
    component: 'Latency',
  },
  {
    view: 'quality',
    name: 'accuracy',
    file: 'src/modules/second-reader/view/accuracy.tsx',
    component: 'Accuracy',
  },
];

import { posix } from 'node:path';
import type { PageView, SectionedView, Shot, ViewSection } from '../src/host/page-view.ts';
import { MODULES } from '../src/modules/list.ts';
import { withPlaced } from '../src/runtime/placed.ts';

const shot =
  (port: Shot['port']) =>
  (name: string, place: string, more: Pick<Shot, 'kept' | 'press'> = {}): Shot => ({
    name,
    port,
    place,
    ...more,
  });
const onPublic = shot('public');
const onOperators = shot('operator');

const SNAPSHOT = '#/buy?route=perp-snapshot&p.ticker=BTC';

/** The first view, which is in the page itself: it has no piece to load. */
export const FIRST_SHOTS: readonly Shot[] = [onPublic('home', '', { kept: 'light' })];

/** Sections that modules bring, in the order of their list. */
const BROUGHT: readonly ViewSection[] = (
  await Promise.all(MODULES.map(({ viewSections }) => viewSections?.()))
).flatMap((sections) => sections ?? []);

const broughtTo = (view: string): readonly ViewSection[] =>
  BROUGHT.filter((section) => section.view === view);

/** Sections of each view that has some: those of the modules, then the core's. */
export const SECTIONS: Readonly<Record<SectionedView, readonly ViewSection[]>> = {
  quality: [
    ...broughtTo('quality'),
    { view: 'quality', name: 'units', file: 'web/views/quality/units.tsx', component: 'Units' },
  ],
  operator: broughtTo('operator'),
  asset: broughtTo('asset'),
  pair: broughtTo('pair'),
};

/** Views of the core, in the order of their links, behind the first one. */
const CORE_VIEWS: readonly PageView[] = [
  {
    name: 'matrix',
    title: 'Funding',
    file: 'web/views/matrix/matrix.tsx',
    component: 'Matrix',
    shots: [
      onOperators('matrix', '#/matrix?class=crypto&min_oi=300000000', { kept: 'light' }),
      onOperators('matrix-all', '#/matrix'),
      onPublic('matrix-sample', '#/matrix'),
      onOperators('matrix-empty', '#/matrix?q=nothing-is-called-so'),
    ],
  },
  {
    name: 'heatmap',
    title: 'Heatmap',
    file: 'web/views/heatmap/heatmap.tsx',
    component: 'Heatmap',
    shots: [
      onOperators('heatmap', '#/heatmap', { kept: 'dark' }),
      onOperators('heatmap-venue', '#/heatmap?venue=binance&step=1h'),
      onPublic('heatmap-sale', '#/heatmap'),
    ],
  },
  {
    name: 'asset',
    title: 'Asset',
    file: 'web/views/asset/asset.tsx',
    component: 'Asset',
    shots: [
      onOperators('asset', '#/asset?ticker=BTC', { kept: 'dark' }),
      onPublic('asset-sale', '#/asset?ticker=BTC'),
      onOperators('asset-empty', '#/asset?ticker=NOSUCH'),
    ],
  },
  {
    name: 'venues',
    title: 'Venues',
    file: 'web/views/venues.tsx',
    component: 'Venues',
    shots: [onPublic('venues', '#/venues', { kept: 'light' })],
  },
  {
    name: 'quality',
    title: 'Quality',
    file: 'web/views/quality/quality.tsx',
    component: 'Quality',
    shots: [
      onPublic('quality', '#/quality', { kept: 'light' }),
      ...SECTIONS.quality
        .slice(1)
        .map(({ name }) => onPublic(`quality-${name}`, `#/quality?section=${name}`)),
    ],
  },
  {
    name: 'buy',
    title: 'Buy',
    file: 'web/views/buy/buy.tsx',
    component: 'Buy',
    shots: [
      onPublic('buy', SNAPSHOT),
      onPublic('buy-price', SNAPSHOT, { press: ['Ask for'] }),
      onPublic('buy-bought', SNAPSHOT, { press: ['Ask for', 'Pay $'], kept: 'dark' }),
    ],
  },
];

/** Every view behind the first one, those of modules among them, in the order of their links. */
export async function pageViews(): Promise<readonly PageView[]> {
  const brought = (await Promise.all(MODULES.map(({ views }) => views?.()))).flatMap((views) => views ?? []);
  const placed = withPlaced(
    CORE_VIEWS.map((view) => [view.name, view] as const),
    brought.map((view) => [view.name, view, view.after] as const),
  );
  return placed.map(([name, view]) => ({
    ...view,
    shots: [...view.shots, ...broughtTo(name).flatMap(({ shots = [] }) => shots)],
  }));
}

/** The path of a file as a file of the folder imports it. */
function pathFrom(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** The text of `web/sections/<view>.ts`, by which a view finds its sections. */
export function sectionList(view: SectionedView): string {
  const sections = SECTIONS[view];
  const imports = sections.map(
    ({ file, component }) => `import { ${component} } from '${pathFrom('web/sections', file)}';\n`,
  );
  const entries = sections.map(({ name, component }) => `  [${JSON.stringify(name)}, ${component}],\n`);
  return `// Made by scripts/build-routes.mjs of scripts/page-views.ts and the modules.
${imports.join('')}
/** Sections of the view, by their names in the address. */
export const SECTIONS = [
${entries.join('')}] as const;
`;
}

/** The text of `web/view-list.ts`, by which the page finds its views. */
export function viewList(views: readonly PageView[]): string {
  const entries = views.map(({ name, title, file, component, isOperators }) => {
    const mark = isOperators === true ? ' isOperators: true,' : '';
    return `  ${JSON.stringify(name)}: { title: ${JSON.stringify(title)},${mark} load: async () => (await import('${pathFrom('web', file)}')).${component} },`;
  });
  const others = views
    .flatMap(({ goesOn }) => goesOn ?? [])
    .map(({ key, file, begin }) => {
      const load = `async () => (await import('${pathFrom('web', file)}')).${begin}()`;
      return `  { key: ${JSON.stringify(key)}, begin: ${load} },\n`;
    });
  return `// Made by scripts/build-routes.mjs of scripts/page-views.ts and the modules.
import type { ComponentType } from 'preact';

export interface View {
  readonly title: string;
  /** True where it is on the operator's port alone. */
  readonly isOperators?: boolean;
  readonly load: () => Promise<ComponentType>;
}

/** The views behind the first one, by their names in the address. */
export const VIEWS: Readonly<Record<string, View>> = {
${entries.join('\n')}
};

/** Parts that go on whichever view is shown, where this browser has stored something under the key. */
export const GOING_ON: readonly { readonly key: string; readonly begin: () => Promise<void> }[] = [
${others.join('')}];
`;
}

import { type ComponentType, type JSX, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasKept, isOperator } from './data/answers.ts';
import { useHealth } from './data/service.ts';
import { Loading, TokenForm, ViewSale } from './parts/states.tsx';
import { HOME, linkTo, noteViews, usePlace } from './place.ts';
import { count } from './text/number.ts';
import { ThemeButton } from './theme.tsx';
import { GOING_ON, VIEWS, type View } from './view-list.ts';
import { Home } from './views/home/home.tsx';
import './style/base.css';
import './style/parts.css';
import './style/cards.css';
import './style/matrix.css';
import './style/charts.css';
import './style/buy.css';
import 'uplot/dist/uPlot.min.css';

const LISTED = Object.entries(VIEWS).filter(([, { isOperators }]) => isOperator || isOperators !== true);
/** The views of this port; the first one is in the page itself. */
const SHOWN: ReadonlyMap<string, View> = new Map([
  [HOME, { title: 'Home', load: async () => Home }],
  ...LISTED,
]);

/** As the document says: a line that came with the first answer would push everything down. */
const isSimulated =
  document.querySelector('meta[name="perpmeter-data"]')?.getAttribute('content') === 'simulated';

function Simulated(): JSX.Element {
  return (
    <aside class="simulated" aria-label="Simulated data">
      <strong>Simulated data.</strong> The venues behind these numbers are played by a program; none of them
      is a market's.
    </aside>
  );
}

/** Live or simulated, how many venues; the first thing to be seen, on every view. */
function Standing(): JSX.Element {
  const health = useHealth();
  if (health.state !== 'ready') {
    const said =
      health.state === 'loading' ? 'reading' : health.state === 'offline' ? 'offline' : 'no answer';
    return <span class={`tag ${health.state === 'loading' ? '' : 'down'}`}>{said}</span>;
  }
  const { data, venues } = health.body;
  const all = venues.live + venues.stale + venues.down;
  return (
    <>
      {health.trouble !== undefined && (
        <span class="tag down">{health.trouble.state === 'offline' ? 'offline' : 'no answer'}</span>
      )}
      <span class={`tag ${data}`}>{data === 'live' ? 'Live' : 'Simulated'}</span>
      <span class="tag" title={`${venues.live} live, ${venues.stale} stale, ${venues.down} down`}>
        {count(venues.live)}/{count(all)}
        <span class="wide"> venues</span>
      </span>
    </>
  );
}

/** The links to the views. A button shows them below each other where they do not fit side by side. */
function Navigation({ view }: { view: string }): JSX.Element {
  const nav = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  // The view that was chosen is shown in their place.
  useEffect(() => setOpen(false), [view]);
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (!nav.current?.contains(relatedTarget as Node | null)) setOpen(false);
  };
  return (
    <nav
      aria-label="Views"
      ref={nav}
      onFocusOut={leave}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <button type="button" class="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Views
      </button>
      <div class={isOpen ? 'open' : ''}>
        {[...SHOWN].map(([name, { title }]) => (
          <a key={name} href={linkTo(name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </div>
    </nav>
  );
}

function Shell(): JSX.Element {
  const { view } = usePlace();
  const health = useHealth();
  const shown = SHOWN.get(view);
  useEffect(() => {
    document.title = `${shown?.title ?? 'No such view'} · Perpmeter${isOperator ? ' operator' : ''}`;
  }, [shown]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link that works like every skip link, but for the address */}
      <a class="skip" href="#content" onClick={skip}>
        To the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo(HOME)}>
          Perpmeter{isOperator && <small> operator</small>}
        </a>
        <Navigation view={view} />
        <div class="standing">
          <Standing />
          <ThemeButton />
        </div>
      </header>
      {isSimulated && <Simulated />}
      <main id="content" tabIndex={-1}>
        {health.state === 'locked' ? (
          <TokenForm answer={health} />
        ) : shown === undefined ? (
          <NoView name={view} />
        ) : (
          <Loaded key={view} view={shown} />
        )}
      </main>
      <ViewSale key={view} />
      <Foot />
    </>
  );
}

/** The fragment of the address is the view's state, so that the link itself must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function NoView({ name }: { name: string }): JSX.Element {
  return (
    <div class="notice">
      <h1>No such view</h1>
      <p>
        There is no view “{name}”. <a href={linkTo(HOME)}>Home</a>
      </p>
    </div>
  );
}

function Loaded({ view }: { view: View }): JSX.Element {
  const [loaded, setLoaded] = useState<{ Component: ComponentType } | 'failed'>();
  useEffect(() => {
    view.load().then(
      (Component) => setLoaded({ Component }),
      () => setLoaded('failed'),
    );
  }, [view]);
  if (loaded === undefined) return <Loading what="the view" />;
  if (loaded !== 'failed') return <loaded.Component />;
  return (
    <div class="notice bad" role="alert">
      <h1>This view did not load</h1>
      <p>The connection broke, or the service was renewed meanwhile.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  );
}

function Foot(): JSX.Element {
  return (
    <footer>
      <a href="/openapi.json">OpenAPI</a>
      <a href="/llms.txt">llms.txt</a>
      <a href="/v1/pricing/changelog">Price changelog</a>
      <a href="/.well-known/x402.json">Catalog</a>
      <span>
        Naive baselines, not a profit forecast. Nothing is loaded from elsewhere; nobody is tracked.
      </span>
    </footer>
  );
}

for (const { key, begin } of GOING_ON) if (localStorage.getItem(key) !== null) void begin();
if (hasKept()) void import('./pay/purchase.ts').then(({ restorePurchases }) => restorePurchases());

noteViews(SHOWN.keys());
const root = document.getElementById('page');
if (root !== null) {
  root.textContent = '';
  render(<Shell />, root);
}

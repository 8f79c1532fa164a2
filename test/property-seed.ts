import fc from 'fast-check';
import { PROPERTY_RUNS } from './property-runs.ts';

// `npm test` tries the same cases each time, so that a change is judged by itself: `npm run soak laws` tries others.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_RUNS.seed });

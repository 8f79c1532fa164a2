import { afterAll, beforeAll } from 'vitest';
import { api, openTruthApi } from './truth-api.ts';
// One service for all: to read every venue takes seconds of CPU.
import './assets.ts';
import './books.ts';
import './choices.ts';
import './costs.ts';
import './scans.ts';

beforeAll(openTruthApi);
afterAll(() => api.close());

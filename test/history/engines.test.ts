import { afterAll } from 'vitest';
import { removeEngines } from './engines.ts';
// One process and one engine of each kind for all: to start one takes more CPU than most of what is asked of it.
import './absurd-values.ts';
import './answers.ts';
import './as-of.ts';
import './correction-seam.ts';
import './corrections.ts';
import './current-hours.ts';
import './former-venues.ts';
import './history-products.ts';
import './last-interest.ts';
import './long-answers.ts';
import './look-ahead.ts';
import './named-statements.ts';
import './operators.ts';
import './past-edges.ts';
import './payment-times.ts';
import './queries.ts';
import './renamed-coins.ts';
import './renamed-law.ts';
import './second-reads.ts';
import './second-writer.ts';
import './series-contract.ts';
import './shown-forecasts.ts';

afterAll(removeEngines);

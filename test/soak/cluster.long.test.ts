import { describeHurt } from './cluster-suite.ts';

describeHurt('kill holder', 'deafen holder', 'silence ledger', 'fill disk', 'kill bus leader');

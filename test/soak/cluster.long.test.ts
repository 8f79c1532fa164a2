import { describeHurt } from './cluster-suite.ts';

describeHurt('kill holder', 'deafen holder', 'kill bus leader', 'silence ledger', 'fill disk');

import { describeHurt } from './cluster-suite.ts';

// One of what cluster.long.test.ts does: others kill a holder, and hurt the ledger, without the rest of a cluster.
describeHurt('deafen holder');

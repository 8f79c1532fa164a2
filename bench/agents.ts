/**
 * Sixty questions of traders whose answers are known from the simulated world, asked over `POST /mcp` and over `perpmeter mcp`
 * by scripted readers of the list of tools, and by a model where the environment names one. One budget of a dollar is for all
 * questions of a policy. `npm run bench agents -- --help`; exit 1 where a bar is missed.
 */
import { parseArgs } from 'node:util';
import { tableText } from '../src/host/process/table-text.ts';
import { examplePrices } from '../test/api/example-api.ts';
import { DOORS, type Door } from './agents/doors.ts';
import { openAgentMarket } from './agents/market.ts';
import { modelOf, modelPolicy } from './agents/model.ts';
import { POLICIES, type Policy } from './agents/policies.ts';
import { QUESTIONS } from './agents/question.ts';
import { cheapestUsd, type Outcome, runPolicy } from './agents/run.ts';

const USAGE = `Usage: npm run bench agents -- [options]

  --questions <n>  the first n of them (60)
  --help           this text

A model is asked beside the scripted policies where these are set:

  BENCH_AGENT_URL    the address before /chat/completions or /messages: https://api.openai.com/v1
  BENCH_AGENT_API    openai (default: any server of its form) or anthropic
  BENCH_AGENT_KEY    the key of that interface
  BENCH_AGENT_MODEL  the model's name

Exit code 1 where a bar is missed.
`;
const BUDGET_USD = '1';
/** Of sixty, the overlap reader has been seen to answer 59. */
const OVERLAP_BAR = 0.92;

const { values: args } = parseArgs({
  options: { questions: { type: 'string', default: '60' }, help: { type: 'boolean', default: false } },
});
if (args.help) {
  console.log(USAGE);
  process.exit(0);
}
const questions = QUESTIONS.slice(0, Number(args.questions));
const model = modelOf(process.env);
const policies: Readonly<Record<string, () => Policy>> = {
  ...POLICIES,
  ...(model !== undefined && { [model.model]: () => modelPolicy(model) }),
};

/** A bar that an outcome misses, in words. */
function missed({ policy, wrong, boughtTwice, spentUsd, earnedUsd, door }: Outcome): readonly string[] {
  const share = 1 - wrong.length / questions.length;
  const faults = [
    spentUsd !== earnedUsd && `counted ${spentUsd} USD, and ${earnedUsd} were received`,
    Number(spentUsd) > Number(BUDGET_USD) && `spent ${spentUsd} USD`,
    policy === 'cheapest' && wrong.length > 0 && `${wrong.length} wrong`,
    policy === 'cheapest' && boughtTwice > 0 && `${boughtTwice} bought twice`,
    policy === 'overlap' && share < OVERLAP_BAR && `${share.toFixed(2)} right (bar ${OVERLAP_BAR})`,
  ];
  return faults.flatMap((fault) => (fault === false ? [] : [`${door}, ${policy}: ${fault}`]));
}

const market = await openAgentMarket();
const outcomes: Outcome[] = [];
try {
  for (const door of Object.keys(DOORS) as Door[]) {
    for (const [name, make] of Object.entries(policies)) {
      const run = { market, door, name, policy: make(), questions, budgetUsd: BUDGET_USD };
      outcomes.push(await runPolicy(run));
    }
  }
} finally {
  await market.stop();
}
const prices = examplePrices();
const least = cheapestUsd(questions, (product) => prices.priceAt(product, market.world.now)?.usd ?? '0');
console.log(
  tableText(
    ['door', 'policy', 'right', 'wrong', 'USD', `beside ${least}`, 'tokens in', 'out', 'bought twice'],
    outcomes.map(({ door, policy, right, wrong, spentUsd, tokens, boughtTwice }) => [
      door,
      policy,
      String(right),
      String(wrong.length),
      spentUsd,
      (Number(spentUsd) / Number(least)).toFixed(2),
      String(tokens.read),
      String(tokens.written),
      String(boughtTwice),
    ]),
  ),
);
for (const { door, policy, wrong } of outcomes.filter(({ policy: name }) => name !== 'random'))
  for (const { id, said, truth } of wrong)
    console.log(`${door}, ${policy}, ${id}: ${String(said)}, not ${String(truth)}`);
const faults = outcomes.flatMap(missed);
for (const fault of faults) console.log(fault);
console.log(
  `bench agents ${faults.length === 0 ? 'PASS' : 'FAIL'} ${questions.length} questions: cheapest ${outcomes[0]?.right} right at ` +
    `${outcomes[0]?.spentUsd} USD, overlap ${outcomes[1]?.right} at ${outcomes[1]?.spentUsd} USD (bar ${OVERLAP_BAR} right); ` +
    `the cheapest way to each answer costs ${least} USD`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

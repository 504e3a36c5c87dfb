// The plan of a research: a model makes it, and it waits for its person as a call does that needs approval.
import { PLAN_CALL, RESEARCH, RESEARCH_BUDGET_MAX, type ResearchPlan } from '@parley/schema/chat/research';
import { costInCredits, type Rates } from '@parley/schema/catalog/rates';
import type { LoopCall } from '@parley/schema/messages/messages';
import type { CallMeter } from '../billing/call-meter.ts';
import type { Delta } from '../generation/delta.ts';
import { patiently } from './patience.ts';
import { PLAN_REQUEST, readPlan } from './prompts.ts';
import { ORIGIN, type Research } from './research.ts';
import { keepPlan, readResearch, type ResearchRow } from './rows.ts';

/** What a step and a report use as a rule, in tokens. */
const STEP_TOKENS = { input: 60_000, output: 4000 };
const REPORT_TOKENS = { input: 20_000, output: 6000 };

export type PlannedRow = ResearchRow & { plan: ResearchPlan };

/** Makes the plan, unless it is made, and waits for its person. */
export async function* planResearch(
  research: Research,
  meter: Pick<CallMeter, 'pass'>,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { db, key, researcher, rates, limits } = research;
  const row = await readResearch(db.query, key);
  if (!row) throw new Error('A research has no row');
  let { plan, budget } = row;
  if (!plan) {
    const message = researcher.question(PLAN_REQUEST);
    let written = '';
    for await (const delta of patiently(ask, limits, signal)) {
      if (delta.type === 'text') written += delta.text;
      else if (delta.type === 'rewrite') written = delta.text;
      else if (delta.type === 'usage' || delta.type === 'asking' || delta.type === 'working') yield delta;
    }
    if (signal.aborted) return;
    plan = readPlan(written, researcher.asked);
    budget = proposeBudget(plan.steps.length, rates);
    if (!(await keepPlan(db, key, plan, budget))) return;

    async function* ask(): AsyncGenerator<Delta> {
      written = '';
      yield { type: 'asking' };
      yield* researcher.ask(message, meter, signal);
    }
  }
  yield { type: 'tool', call: waitingCall({ ...row, plan, budget }) };
  yield { type: 'finish', reason: 'tool_calls' };
}

/** In credits: twice what it costs as a rule. */
function proposeBudget(steps: number, rates: Rates): number {
  const credits = 2 * (steps * costInCredits(STEP_TOKENS, rates) + costInCredits(REPORT_TOKENS, rates));
  return Math.min(Math.max(credits, 1), RESEARCH_BUDGET_MAX);
}

/** The call that shows the plan. */
export function planFacts({ plan, budget, version }: Pick<PlannedRow, 'plan' | 'budget' | 'version'>) {
  const steps = plan.steps.map(({ id, question, why }) => ({ id, question, why }));
  return {
    id: PLAN_CALL,
    kind: 'function',
    name: RESEARCH,
    input: JSON.stringify({ title: plan.title, steps, budget: budget ?? 1, version }),
    output: null,
    step: 0,
    from: ORIGIN,
    isRepeatable: true,
  } as const;
}

export function waitingCall(row: Pick<PlannedRow, 'plan' | 'budget' | 'version'>): LoopCall {
  return { ...planFacts(row), state: 'waiting', needs: 'approval', isAskedEachTime: true, progress: 0.1 };
}

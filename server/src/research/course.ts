// The course of a started research: its steps, what else is to be found out, and the report.
import { PLAN_STEPS_MAX, ADDED_STEPS_MAX, type ResearchPlan } from '@parley/schema/chat/research';
import { isLoopCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import { Refusal } from '../platform/errors.ts';
import { patiently } from './patience.ts';
import { planFacts } from './plan.ts';
import { moreRequest, readMore } from './prompts.ts';
import { writeReport } from './report.ts';
import { isResearchCall, type StartedResearch } from './research.ts';
import { commitStep, readNotes, readResearch, setState, type ResearchRow } from './rows.ts';
import { runStep, stepCall, stoppedCall } from './step.ts';
import { together } from './together.ts';

/** Of the budget, for the report. */
const REPORT_SHARE = 0.2;

/** Goes on from the rows, whoever wrote them. */
export async function* carryOut(research: StartedResearch, signal: AbortSignal): AsyncGenerator<Delta> {
  const { db, key } = research;
  let row = await readPlanned(research);
  yield { type: 'tool', call: { ...planFacts(row), state: 'done', output: STARTED, progress: 1 } };
  yield* settleEarlier(research, row.plan);
  const failures: Refusal[] = [];
  yield* runOpen(research, row.plan, failures, signal);
  row = await readPlanned(research);
  if (!signal.aborted && mayAskMore(research, row)) {
    yield* askMore(research, row.plan, signal);
    if (signal.aborted) return;
    row = await readPlanned(research);
    yield* runOpen(research, row.plan, failures, signal);
  }
  if (signal.aborted) return;
  const notes = await readNotes(db.query, key);
  const [failure] = failures;
  // Nothing to write about: what its provider says is the answer.
  if (notes.length === 0 && failure && failure.reason.type !== 'token_balance') throw failure;
  await setState(db, key, 'writing');
  row = await readPlanned(research);
  yield* writeReport(research, row, notes, signal);
}

const STARTED = 'The person has started the research.';

type Planned = ResearchRow & { plan: ResearchPlan };

async function readPlanned({ db, key }: StartedResearch): Promise<Planned> {
  const row = await readResearch(db.query, key);
  if (!row?.plan) throw new Error('A research that was started has no plan');
  return { ...row, plan: row.plan };
}

/** Shows what an earlier process has ended, and stops the calls that it left. */
async function* settleEarlier({ db, key, parts }: StartedResearch, plan: ResearchPlan): AsyncGenerator<Delta> {
  const calls = parts.filter(isLoopCall).map(({ call }) => call);
  if (calls.length === 0) return;
  const left = calls.filter((call) => !isResearchCall(call) && (call.state === 'running' || call.state === 'writing'));
  for (const call of left) yield { type: 'tool', call: stoppedCall(call) };
  const notes = await readNotes(db.query, key);
  for (const [at, step] of plan.steps.entries()) {
    const shown = calls.find(({ id }) => id === `step-${step.id}`);
    if (step.state === 'open' || (shown && shown.state !== 'running')) continue;
    const text = notes.find(({ stepId }) => stepId === step.id)?.text ?? '';
    yield { type: 'tool', call: stepCall(step, at + 1, { state: step.state, notes: text }) };
  }
}

/** The open steps of the plan; none begins once the report is to be written. */
async function* runOpen(
  research: StartedResearch,
  plan: ResearchPlan,
  failures: Refusal[],
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { limits, meter, writeNow } = research;
  const open = plan.steps.flatMap((step, at) => (step.state === 'open' ? [{ step, place: at + 1 }] : []));
  let waiting = open.length;
  let isWriting = false;
  const jobs = open.map(({ step, place }) => async (push: (delta: Delta) => void) => {
    const share = shareOf(meter.left(), waiting--);
    if (signal.aborted || writeNow.aborted || isWriting) return;
    const notes = await readNotes(research.db.query, research.key);
    const { row, failure } = await runStep(research, { plan, step, place, notes, share }, push, signal);
    // The notification may be lost.
    if (row?.state === 'writing') isWriting = true;
    if (failure) failures.push(failure);
  });
  yield* together(jobs, limits.atOnce, limits.heartbeatMs);
}

/** What one of the steps that are left may cost. */
function shareOf(left: number, steps: number): number {
  return Math.floor((left * (1 - REPORT_SHARE)) / Math.max(1, steps));
}

function mayAskMore({ meter, writeNow }: StartedResearch, { plan, state }: Planned): boolean {
  const isDone = plan.steps.some((step) => step.state === 'done');
  const isFull = plan.steps.length >= PLAN_STEPS_MAX + ADDED_STEPS_MAX;
  return isDone && !isFull && !plan.hasAskedMore && state === 'working' && !writeNow.aborted && meter.left() > 0;
}

/** Asks once what else is to be found out. A call that fails adds nothing. */
async function* askMore(research: StartedResearch, plan: ResearchPlan, signal: AbortSignal): AsyncGenerator<Delta> {
  const { db, key, limits, researcher, meter, writeNow } = research;
  const notes = await readNotes(db.query, key);
  const message = { role: 'user' as const, content: moreRequest(plan, notes) };
  const part = meter.part(Math.floor(meter.left() * (1 - REPORT_SHARE)), researcher.promptTokens(message));
  const until = AbortSignal.any([signal, writeNow]);
  let written = '';
  try {
    for await (const delta of patiently(ask, limits, until)) {
      if (delta.type === 'text') written += delta.text;
      else if (delta.type === 'asking' || delta.type === 'working') yield delta;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    written = '';
  }
  if (signal.aborted) return;
  const { used, items } = await part.bill();
  await commitStep(db, key, research, { step: null, added: readMore(written, plan), sources: [], used, items });
  await part.paid();

  async function* ask(): AsyncGenerator<Delta> {
    written = '';
    yield { type: 'asking' };
    yield* researcher.ask(message, part, until);
  }
}

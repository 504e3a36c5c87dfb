// One step of a research: a loop of its own that reads, whose notes are written together with its charge.
import {
  CALLS_PER_STEP,
  NOTES_MAX,
  type PlanStep,
  type ResearchPlan,
  type StepState,
} from '@parley/schema/chat/research';
import { isLoopCall, type LoopCall, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import { cutText } from '@parley/schema/tools/foreign-text';
import { readWebSources, writeWebSources, type WebSource } from '@parley/schema/tools/web-sources';
import type { Delta } from '../generation/delta.ts';
import { Refusal } from '../platform/errors.ts';
import { numbersIn, withCheckedQuotes } from './check-report.ts';
import type { MeteredPart } from './meter.ts';
import { patiently } from './patience.ts';
import { NOTHING_FOUND, stepRequest } from './prompts.ts';
import { ORIGIN, type StartedResearch } from './research.ts';
import { commitStep, type NotesRow, type ResearchRow } from './rows.ts';

export type PlannedStep = ResearchPlan['steps'][number];

export interface StepRun {
  plan: ResearchPlan;
  step: PlannedStep;
  /** Its place in the plan, from 1. */
  place: number;
  notes: readonly NotesRow[];
  /** In credits. */
  share: number;
}

export interface StepEnd {
  /** Null where another process has taken the run over. */
  row: ResearchRow | null;
  /** Why it found nothing, where its provider is the reason. */
  failure: Refusal | null;
}

/** Of a result that the reply keeps: the steps have read all of it. */
const KEPT_CHARS = 300;
/** In calls: more than one attempt makes. */
const CALLS_PER_ATTEMPT = 20;
/** What follows the time of a step, for its notes, in milliseconds. */
const NOTES_MS = 5 * 60_000;

/** @throws what is no answer of a provider */
export async function runStep(
  research: StartedResearch,
  run: StepRun,
  push: (delta: Delta) => void,
  signal: AbortSignal,
): Promise<StepEnd> {
  const { step, place } = run;
  const began = performance.now();
  push({ type: 'tool', call: stepCall(step, place, { state: 'running' }) });
  const gathered = createGathering();
  const { meter, failure } = await lookUp(research, run, (delta) => gathered.add(delta, push), signal);
  if (signal.aborted) return { row: null, failure };
  gathered.settle(push);
  const ended = endOf(gathered, { failure, isCut: research.writeNow.aborted, passages: research.passages() });
  const { used, items, credits } = await meter.bill();
  const row = await commitStep(research.db, research.key, research, {
    step: { id: step.id, ...ended },
    sources: gathered.sources().filter(({ n }) => ended.sourceIds.includes(n)),
    used,
    items,
  });
  await meter.paid();
  if (failure) research.log({ event: 'research.step_failed', step: step.id, reason: failure.reason.type });
  if (!row) return { row, failure };
  const tookMs = Math.round(performance.now() - began);
  const sources = gathered.sources().length;
  push({
    type: 'tool',
    call: stepCall(step, place, { state: ended.state, notes: ended.notes, credits, sources, tookMs }),
  });
  return { row, failure };
}

/** Reads until the notes are written, its time is over or it is told to stop. */
async function lookUp(
  research: StartedResearch,
  run: StepRun,
  hear: (delta: Delta) => void,
  signal: AbortSignal,
): Promise<{ meter: MeteredPart; failure: Refusal | null }> {
  const { researcher, limits, parts, writeNow } = research;
  const message = researcher.question(stepRequest(run));
  const meter = research.meter.part(run.share, researcher.promptTokens(message));
  const until = AbortSignal.any([signal, writeNow]);
  const first = firstCall(parts, run.place);
  try {
    for await (const delta of patiently(search, limits, until)) hear(delta);
    return { meter, failure: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { meter, failure: error };
  }

  function search(attempt: number): AsyncIterable<Delta> {
    const { stepCalls: calls, stepMs: runMs } = limits;
    const firstStep = first + attempt * CALLS_PER_ATTEMPT;
    const own = AbortSignal.any([until, AbortSignal.timeout(runMs + NOTES_MS)]);
    return researcher.search(message, { meter, firstStep, calls, runMs }, own);
  }
}

/** Behind the calls that an earlier process has made for this step. */
function firstCall(parts: readonly MessagePart[], place: number): number {
  const from = place * CALLS_PER_STEP;
  const numbers = parts.flatMap((part) => (isLoopCall(part) ? part.call.step : []));
  const own = numbers.filter((n) => n >= from && n < from + CALLS_PER_STEP);
  return own.length === 0 ? from + 1 : Math.max(...own) + 1;
}

interface Gathered {
  text(): string;
  sources(): WebSource[];
  results(): readonly string[];
}

/** Gathers what a step finds; its calls are told to the reader, and its words are its notes. */
function createGathering() {
  let text = '';
  const results: string[] = [];
  const sources = new Map<number, WebSource>();
  const open = new Map<string, ToolCall>();
  return { add, settle, text: () => text, results: () => results, sources: () => [...sources.values()] };

  function add(delta: Delta, push: (delta: Delta) => void): void {
    if (delta.type === 'asking') text = '';
    if (delta.type === 'text') text += delta.text;
    else if (delta.type === 'rewrite') text = delta.text;
    else if (delta.type === 'tool') push({ type: 'tool', call: note(delta.call) });
    else if (delta.type === 'input' && open.has(delta.id)) push(delta);
    else if (delta.type === 'asking' || delta.type === 'working') push({ type: 'working' });
  }

  function note(call: ToolCall): ToolCall {
    const { output, state } = call;
    if (state === 'writing' || state === 'running') open.set(call.id, call);
    else open.delete(call.id);
    if (output === null || state !== 'done') return { ...call, outputs: [] };
    results.push(output);
    const found = readWebSources(output);
    for (const source of found) sources.set(source.n, source);
    // The addresses stay whole: the rule of pages reads them.
    const kept = found.length > 0 ? writeWebSources(found) : cutText(output, KEPT_CHARS);
    return { ...call, outputs: [], output: kept };
  }

  /** Calls that were cut off. */
  function settle(push: (delta: Delta) => void): void {
    for (const call of open.values()) if (call.step !== undefined) push({ type: 'tool', call: stoppedCall(call) });
    open.clear();
  }
}

/** A call that its process or its step has left. */
export function stoppedCall({ needs: _n, does: _d, isAskedEachTime: _a, signInUrl: _s, ...call }: LoopCall): LoopCall {
  return { ...call, state: 'stopped', output: 'The call was stopped.', progress: 1 };
}

interface Ending {
  failure: Refusal | null;
  isCut: boolean;
  passages: number;
}

function endOf(
  gathered: Gathered,
  { failure, isCut, passages }: Ending,
): { state: StepState; notes: string; sourceIds: number[] } {
  const written = gathered.text().trim();
  const isWhole = failure === null && !isCut;
  const said = written.includes(NOTHING_FOUND) ? '' : written;
  const text = isWhole || said.length > KEPT_CHARS ? said : foundOnly(gathered.sources());
  const notes = cutText(withCheckedQuotes(text, gathered.results()), NOTES_MAX);
  const known = new Set(gathered.sources().map(({ n }) => n));
  const sourceIds = numbersIn(notes).filter((n) => known.has(n) || n <= passages);
  if (notes !== '') return { state: 'done', notes, sourceIds };
  return { state: isWhole ? 'failed' : 'skipped', notes, sourceIds };
}

/** What searches say, where a step could not write its notes. */
function foundOnly(sources: readonly WebSource[]): string {
  return sources
    .filter(({ snippet }) => snippet !== '')
    .map(({ n, title, snippet }) => `- ${title}: ${snippet} [${n}]`)
    .join('\n');
}

interface Shown {
  state: 'running' | StepState;
  notes?: string;
  credits?: number;
  sources?: number;
  tookMs?: number;
}

const STATES = { running: 'running', open: 'running', done: 'done', failed: 'failed', skipped: 'stopped' } as const;
const WITHOUT_NOTES: Readonly<Record<Shown['state'], string | null>> = {
  running: null,
  open: null,
  done: '',
  failed: 'Nothing was found.',
  skipped: 'There was no more time or budget for this.',
};

/** The call that shows a step to the reader. */
export function stepCall(
  { id, question }: Pick<PlanStep, 'id' | 'question'>,
  place: number,
  { state, notes = '', credits, sources, tookMs }: Shown,
): LoopCall {
  return {
    id: `step-${id}`,
    kind: 'function',
    name: 'research_step',
    input: JSON.stringify({ id, question, ...(credits !== undefined && { credits, sources }) }),
    output: notes === '' ? WITHOUT_NOTES[state] : notes,
    progress: state === 'running' || state === 'open' ? 0.3 : 1,
    from: ORIGIN,
    step: place * CALLS_PER_STEP,
    state: STATES[state],
    isRepeatable: true,
    ...(tookMs !== undefined && { tookMs }),
  };
}

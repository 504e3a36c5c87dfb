// The reply of a research: its plan, or what follows from it.
import type { CallMeter } from '../../billing/call-meter.ts';
import { ratesOfCall } from '@parley/schema/catalog/rates';
import { messageText, type MessagePart } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { ProviderCall } from '../../providers/provider.ts';
import { carryOut } from '../../research/course.ts';
import { planResearch } from '../../research/plan.ts';
import { RESEARCH_LIMITS, type Research } from '../../research/research.ts';
import type { ResearchMeter } from '../../research/meter.ts';
import type { ResearchKey } from '../../research/rows.ts';
import type { Timings } from '../../config/timings.ts';
import type { Ask, AskResult } from '../begin/ask.ts';
import type { Prompt } from '../answer/build-prompt.ts';
import type { AgentDeps } from '../answer/run-agent.ts';
import { assertTools, readingTools, type ReadingDeps } from './reading-tools.ts';
import { createResearcher } from './researcher.ts';

export interface ResearchDeps extends ReadingDeps, AgentDeps {
  timings: Pick<Timings, 'documentWaitMs' | 'researchStepMs' | 'researchPatienceMs' | 'researchRetryMs'>;
  log: { warn(facts: object, text: string): void };
}

/** A research as its run has begun it. */
export interface BegunResearch {
  key: ResearchKey;
  /** Null while it is planned. */
  meter: ResearchMeter | null;
  /** What the reply has already, where another process began it. */
  parts: readonly MessagePart[];
  writeNow: AbortController;
}

interface Shown {
  ask: Ask;
  created: AskResult['created'];
  prompt: Prompt;
  call: ProviderCall;
  meter: CallMeter;
}

export async function* researchDeltas(
  deps: ResearchDeps,
  { ask, created, prompt, call, meter }: Shown,
  begun: BegunResearch,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  assertTools(ask, call);
  const tools = await readingTools(deps, ask, prompt, begun, signal);
  yield* prompt.record.changes();
  const asked = messageText(created.request);
  const researcher = createResearcher(deps, { ask, prompt, call, asked, ...tools });
  const { researchStepMs: stepMs, researchPatienceMs: patienceMs, researchRetryMs: retryMs } = deps.timings;
  const { heartbeatMs } = deps.agentLimits;
  const research: Research = {
    db: deps.db,
    key: begun.key,
    convoId: ask.input.conversationId,
    model: ask.model,
    rates: ratesOfCall({ endpointType: ask.endpoint.type, model: ask.model, rates: ask.metadata.rates }),
    limits: { ...RESEARCH_LIMITS, stepMs, patienceMs, retryMs, heartbeatMs },
    researcher,
    parts: begun.parts,
    passages: () => prompt.record.passages.length,
    writeNow: begun.writeNow.signal,
    log: (facts) =>
      deps.log.warn(
        { ...facts, generationId: begun.key.generationId, userId: ask.userId },
        'A step of a research failed',
      ),
  };
  const deltas = begun.meter
    ? carryOut({ ...research, meter: begun.meter }, signal)
    : planResearch(research, meter, signal);
  for await (const delta of deltas) {
    yield* prompt.record.changes();
    yield delta;
  }
}

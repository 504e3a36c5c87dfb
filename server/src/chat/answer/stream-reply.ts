// The deltas of a reply: one call of its provider, or a run with tools.
import type { Billing } from '../../billing/billing.ts';
import type { Delta } from '../../generation/delta.ts';
import type { GenerationLog } from '../../generation/log.ts';
import type { ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { askedCharge } from '../chargeable.ts';
import type { Prompt } from './build-prompt.ts';
import type { ChosenTools } from './choose-tools.ts';
import { withCompletion } from './complete-reply.ts';
import { agentDeltas, type AgentDeps } from './run-agent.ts';

export interface StreamDeps extends Omit<AgentDeps, 'flush' | 'onFault' | 'onServiceFailure'> {
  generationLog: Pick<GenerationLog, 'drain'>;
  billing: Billing;
}

/** Where a reply is asked for, and who is told of what beside it. */
export interface Asking extends Pick<AgentDeps, 'onFault' | 'onServiceFailure'> {
  target: ProviderTarget;
  reserved: AskResult['reserved'];
  /** Called whenever something of a reply arrives. */
  onBytes(): void;
}

export async function* streamReply(
  deps: StreamDeps,
  ask: Ask,
  prompt: Prompt,
  tools: ChosenTools | null,
  asking: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { record } = prompt;
  const call = callOf(ask, prompt, asking);
  yield* record.changes();
  if (!tools) {
    yield { type: 'asked' };
    yield* askPlainly(deps, ask, call, asking, signal);
    return;
  }
  for await (const delta of askWithTools(deps, ask, { prompt, tools, call }, asking, signal)) {
    yield* record.changes();
    yield delta;
  }
}

function callOf({ userId, model }: Ask, prompt: Prompt, { target, onBytes }: Asking): ProviderCall {
  const { messages, summary, thread } = prompt;
  return { target, model, settings: prompt.convo.settings, messages, summary, userId, thread, onBytes };
}

function askPlainly(
  { db, billing }: StreamDeps,
  ask: Ask,
  call: ProviderCall,
  { reserved }: Asking,
  signal: AbortSignal,
): AsyncIterable<Delta> {
  return billing.meter(askedCharge(db.query, ask), reserved, (until) => ask.endpoint.provider(call, until), signal);
}

function askWithTools(
  deps: StreamDeps,
  ask: Ask,
  { prompt, tools, call }: { prompt: Prompt; tools: ChosenTools; call: ProviderCall },
  { reserved, onFault, onServiceFailure }: Asking,
  signal: AbortSignal,
): AsyncIterable<Delta> {
  const { provider } = ask.endpoint;
  const meter = deps.billing.meterSteps(askedCharge(deps.db.query, ask), reserved);
  const metered = { call, provider, meter, firstPromptTokens: reserved?.promptTokens ?? 0 };
  const agentDeps = { ...deps, flush: () => deps.generationLog.drain(), onFault, onServiceFailure };
  const deltas = agentDeltas(agentDeps, { ask, prompt, tools, ...metered }, signal);
  return tools.agent?.skipCompletion === false ? withCompletion(deltas, metered, signal) : deltas;
}

// What the model answers to an ask: the prompt, the tools, then one call of its provider, or a run with tools.
import type { Billing } from '../../billing/billing.ts';
import type { Delta } from '../../generation/delta.ts';
import type { GenerationLog } from '../../generation/log.ts';
import type { ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { askedCharge } from '../chargeable.ts';
import { withoutSteps } from '../context/steps.ts';
import type { RunKey } from '../finalize.ts';
import { buildPrompt, type Prompt, type PromptDeps } from './build-prompt.ts';
import { chooseTools, showsCalls, type ChosenTools } from './choose-tools.ts';
import { withCompletion } from './complete-reply.ts';
import { agentDeltas, type AgentDeps } from './run-agent.ts';

export interface ReplyDeps extends PromptDeps, Omit<AgentDeps, 'flush' | 'onFault' | 'onServiceFailure'> {
  generationLog: Pick<GenerationLog, 'drain'>;
  billing: Billing;
}

/** Where a reply is asked for, and who is told of what beside it. */
export interface Asking extends Pick<AgentDeps, 'onFault' | 'onServiceFailure'> {
  key: RunKey;
  target: ProviderTarget;
  reserved: AskResult['reserved'];
  /** Called whenever something of a reply arrives. */
  onBytes(): void;
}

export async function* replyDeltas(
  deps: ReplyDeps,
  ask: Ask,
  { created }: AskResult,
  asking: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const prompt = yield* buildPrompt(deps, ask, { created, key: asking.key }, signal);
  if (!prompt) return;
  const call: ProviderCall = {
    target: asking.target,
    model: ask.model,
    settings: prompt.branch.convo.settings,
    messages: prompt.messages,
    summary: prompt.summary,
    userId: ask.userId,
    thread: prompt.thread,
    onBytes: asking.onBytes,
  };
  if (prompt.open || prompt.toolKeys.length > 0) return yield* withTools(deps, ask, { prompt, call }, asking, signal);
  yield* prompt.record.changes();
  yield { type: 'asked' };
  yield* askPlainly(deps, ask, call, asking, signal);
}

function askPlainly(
  { db, billing }: ReplyDeps,
  ask: Ask,
  call: ProviderCall,
  { reserved }: Asking,
  signal: AbortSignal,
): AsyncIterable<Delta> {
  const { provider } = ask.endpoint;
  if (!reserved) return provider(call, signal);
  return billing.meter(askedCharge(db.query, ask), reserved, (until) => provider(call, until), signal);
}

async function* withTools(
  deps: ReplyDeps,
  ask: Ask,
  { prompt, call }: { prompt: Prompt; call: ProviderCall },
  asking: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { record, messages } = prompt;
  const mayCall = showsCalls(deps.tools, ask, prompt, asking.target);
  prompt.showSteps(mayCall);
  const tools = await chooseTools(deps, ask, prompt, { mayCall, isCharged: asking.reserved !== null }, signal);
  yield* record.changes();
  if (!tools) {
    yield { type: 'asked' };
    const plain = mayCall ? call : { ...call, messages: withoutSteps(messages) };
    yield* askPlainly(deps, ask, plain, asking, signal);
    return;
  }
  for await (const delta of askWithTools(deps, ask, { prompt, tools, call }, asking, signal)) {
    yield* record.changes();
    yield delta;
  }
}

function askWithTools(
  deps: ReplyDeps,
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

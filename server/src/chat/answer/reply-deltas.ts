// What the model answers to an ask: the prompt, the tools, then one call of its provider, or a run with tools.
import type { Billing } from '../../billing/billing.ts';
import type { CallMeter } from '../../billing/call-meter.ts';
import type { Delta } from '../../generation/delta.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';
import type { GenerationLog } from '../../generation/log.ts';
import type { ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { Ask, AskResult } from '../begin/ask.ts';
import { withoutSteps } from '../context/steps.ts';
import type { RunKey } from '../finalize.ts';
import { answerPictures, createPictureKeeper, type PictureAnswerDeps } from './answer-pictures.ts';
import { buildPrompt, type Prompt, type PromptDeps } from './build-prompt.ts';
import { researchDeltas, type BegunResearch, type ResearchDeps } from '../research/reply.ts';
import { chooseTools, showsCalls, type ChosenTools } from './choose-tools.ts';
import { callNow } from './offer-tools.ts';
import { agentDeltas, type AgentDeps, type AgentRequest } from './run-agent.ts';
import type { Settings } from '@parley/schema/catalog/params';
import { estimateTokens } from '../../catalog/count-tokens.ts';

export interface ReplyDeps
  extends PromptDeps, FileSaverDeps, PictureAnswerDeps, Omit<AgentDeps, 'flush' | 'onFault' | 'onServiceFailure'> {
  generationLog: Pick<GenerationLog, 'drain'>;
  billing: Pick<Billing, 'meter'>;
  timings: ResearchDeps['timings'];
}

/** Says where a reply is asked for, and who hears of what beside it. */
export interface Asking extends Pick<AgentDeps, 'onFault' | 'onServiceFailure'> {
  key: RunKey;
  target: ProviderTarget;
  reserved: AskResult['reserved'];
  /** Counts its model calls. */
  meter: CallMeter;
  /** Null for an ordinary reply. */
  research: BegunResearch | null;
  /** Called whenever something of a reply arrives. */
  onBytes(): void;
}

export async function* replyDeltas(
  deps: ReplyDeps,
  ask: Ask,
  { created, asker }: AskResult,
  asking: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  if (ask.picture) return yield* answerPictures(deps, ask, created.request, asking, signal);
  const prompt = yield* buildPrompt(deps, ask, { created, asker, key: asking.key }, signal);
  if (!prompt) return;
  const call: ProviderCall = {
    target: asking.target,
    model: ask.model,
    settings: prompt.settings,
    messages: prompt.messages,
    summary: prompt.summary,
    userId: ask.userId,
    thread: prompt.thread,
    keepPicture: createPictureKeeper(deps, ask.userId),
    onBytes: asking.onBytes,
  };
  if (asking.research) {
    const researching = { ...deps, ...besideTools(deps, asking) };
    yield* researchDeltas(researching, { ask, created, prompt, call, meter: asking.meter }, asking.research, signal);
    return;
  }
  if (prompt.open || prompt.toolKeys.length > 0) return yield* withTools(deps, ask, { prompt, call }, asking, signal);
  yield* prompt.record.changes();
  yield { type: 'asked' };
  yield* askPlainly(ask, { prompt, call }, asking, signal);
}

async function* askPlainly(
  { endpoint: { provider } }: Ask,
  { prompt, call: planned }: { prompt: Prompt; call: ProviderCall },
  { meter }: Asking,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { call } = await callNow(prompt, planned, new Map());
  yield* meter.pass(
    (until) => provider(call, until),
    // The count that was made to fit the window.
    () => prompt.record.context().tokens ?? 0,
    signal,
  );
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
    yield* askPlainly(ask, { prompt, call: plain }, asking, signal);
    return;
  }
  for await (const delta of askWithTools(deps, ask, { prompt, tools, call }, asking, signal)) {
    yield* record.changes();
    tools.foreign?.hear(delta);
    yield delta;
  }
}

function askWithTools(
  deps: ReplyDeps,
  ask: Ask,
  { prompt, tools, call }: { prompt: Prompt; tools: ChosenTools; call: ProviderCall },
  asking: Asking,
  signal: AbortSignal,
): AsyncIterable<Delta> {
  const { meter } = asking;
  const { provider } = ask.endpoint;
  const metered = { call, provider, meter, firstPromptTokens: prompt.record.context().tokens ?? 0 };
  const agentDeps = { ...deps, ...besideTools(deps, asking) };
  const deltas = agentDeltas(agentDeps, { ask, prompt, tools, ...metered }, signal);
  return tools.agent?.skipCompletion === false ? withCompletion(deltas, metered, signal) : deltas;
}

function besideTools({ generationLog }: Pick<ReplyDeps, 'generationLog'>, { onFault, onServiceFailure }: Asking) {
  return { flush: () => generationLog.drain(), onFault, onServiceFailure };
}

// The reply of a plugins conversation that does not skip the completion: its model writes it from the agent's answer.

/** Says how the completion is asked. */
type Completion = Pick<AgentRequest, 'call' | 'provider' | 'meter' | 'firstPromptTokens'>;

/**
 * The agent's words become reasoning; then the completion is asked. An agent that waits, broke off or was refused has
 * no reply to complete.
 */
async function* withCompletion(
  agent: AsyncIterable<Delta>,
  completion: Completion,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  let result = '';
  let isWhole = false;
  for await (const delta of agent) {
    if (delta.type === 'text') {
      result += delta.text;
      yield { type: 'reasoning', text: delta.text };
    } else if (delta.type === 'rewrite') result = delta.text;
    else if (delta.type === 'finish' && (delta.reason === 'stop' || delta.reason === 'length')) isWhole = true;
    else {
      if (delta.type === 'tool') result = '';
      yield delta;
    }
  }
  if (!isWhole || signal.aborted) return;
  yield { type: 'asking' };
  yield* complete(result.trim(), completion, signal);
}

function complete(result: string, { call, provider, meter, firstPromptTokens }: Completion, signal: AbortSignal) {
  const settings = withPrompt(call.settings, result);
  const asked = { ...call, settings, messages: withoutSteps(call.messages) };
  return meter.pass(
    (until) => provider(asked, until),
    () => firstPromptTokens + estimateTokens(result),
    signal,
  );
}

/** Puts the agent's answer into the instructions. */
function withPrompt(settings: Settings, result: string): Settings {
  const { promptPrefix } = settings;
  const own = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [promptPrefix] : [];
  return { ...settings, promptPrefix: [...own, completionPrompt(result)].join('\n\n') };
}

function completionPrompt(result: string): string {
  const shown =
    result === '' ? 'The tools gave no answer.' : `Preliminary answer, made with tools:\n"""\n${result}\n"""`;
  return `${shown}\n\nAnswer the question from it, in its language. Keep its facts, links and pictures, and do not mention that there was a preliminary answer.`;
}

// Answers a question with the tools that its conversation has chosen.
import type { Db } from '@parley/db/client';
import type { ImagePart, ToolCall } from '@parley/schema/messages/messages';
import { CLASSIC_STOP, classicInstructions, classicMessages, readClassic } from '../../agents/classic.ts';
import type { Agent, AgentLimits, ModelStep, ToolServiceFailure } from '../../agents/agent.ts';
import { runAgent } from '../../agents/loop.ts';
import type { CallMeter } from '../../billing/call-meter.ts';
import type { Delta } from '../../generation/delta.ts';
import { consume } from '../../platform/rate-limiter.ts';
import type { ChatMessage, FinishedCall, Provider, ProviderCall } from '../../providers/provider.ts';
import { grantTool, isGranted } from '../../tools/grants.ts';
import type { KnownRefusals } from '../../providers/compatible/refusals.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Ask } from '../begin/ask.ts';
import type { Prompt } from './build-prompt.ts';
import type { ChosenTools } from './choose-tools.ts';
import { callNow, offerTools } from './offer-tools.ts';
import { loadAttachments, type ReadFile } from '../context/files/attachments.ts';
import { callTokens, finishedCall, callImages, stepReasoning, withoutSteps } from '../context/steps.ts';
import { nextStepNumber } from './open-step.ts';

export interface AgentDeps {
  db: Db;
  readFile: ReadFile;
  tools: ToolRegistry;
  agentLimits: AgentLimits;
  /** Says whether calls of actions wait for a person even if the client cannot ask. */
  restActionsAsk: boolean;
  toolCallsPerMinute: number;
  /** Remembers what providers have refused. */
  refusals: KnownRefusals;
  /** Writes everything sent so far to the database; false when it could not be written. */
  flush(): Promise<boolean>;
  onFault(error: unknown): void;
  onServiceFailure(failure: ToolServiceFailure): void;
}

/** Describes what the model is asked, and how that is paid for. */
export interface AgentRequest {
  ask: Ask;
  prompt: Prompt;
  tools: ChosenTools;
  /** It has no tools. */
  call: ProviderCall;
  provider: Provider;
  meter: CallMeter;
  /** Belongs to the first model call. */
  firstPromptTokens: number;
}

export async function* agentDeltas(deps: AgentDeps, asked: AgentRequest, signal: AbortSignal): AsyncGenerator<Delta> {
  const { db } = deps;
  const { ask, prompt, tools: chosen } = asked;
  const { userId, input, callsUnasked } = ask;
  const calls = createModelCalls(deps, asked);
  const agent: Agent = {
    userId,
    convoId: input.conversationId,
    generationId: input.generationId,
    tools: chosen.tools,
    problems: chosen.problems,
    messages: prompt.messages,
    firstStep: nextStepNumber(prompt.branch.reply),
    open: prompt.open?.step ?? null,
    limits: deps.agentLimits,
    ask: calls.ask,
    finish: calls.finish,
    flush: () => deps.flush(),
    cannotAsk: callsUnasked,
    isGranted: async (tool) => isAllowedBy(ask, tool, deps.restActionsAsk) || isGranted(db.query, userId, tool),
    grant: (tool) => grantTool(db.query, userId, tool),
    countCall: () => countCall(deps, userId),
    onFault: (error) => deps.onFault(error),
    onServiceFailure: (failure) => deps.onServiceFailure(failure),
  };
  yield* runAgent(agent, signal);
}

/** Makes the model's calls, each paid for with what it was shown since the question. */
function createModelCalls(deps: AgentDeps, asked: AgentRequest): Pick<Agent, 'ask' | 'finish'> {
  const { ask, prompt, tools: chosen, provider, meter, firstPromptTokens } = asked;
  const { tools, agent, rules } = chosen;
  const call = withOptions(asked.call, agent);
  const offer = offerTools(chosen, call, deps.refusals);
  const reasoning = stepReasoning(prompt.branch.reply.parts);
  let imageTokens = 0;
  return { ask: agent?.agent === 'classic' && tools.size > 0 ? askClassic : askModel, finish };

  async function* askModel({ messages, toolChoice }: ModelStep, until: AbortSignal) {
    const now = await callNow(prompt, call, tools);
    yield* metered(messages, until, (stop) =>
      offer.ask((all) => {
        const specs = all.filter(now.offers);
        if (specs.length > 0)
          return provider({ ...now.call, messages, tools: specs, ...(toolChoice && { toolChoice }) }, stop);
        prompt.showSteps(false);
        return provider({ ...now.call, messages: withoutSteps(messages) }, stop);
      }),
    );
  }

  function askClassic(step: ModelStep, until: AbortSignal) {
    const { messages, toolChoice } = step;
    const promptPrefix = classicInstructions(shownTools(chosen), toolChoice !== 'none');
    const settings = { ...call.settings, promptPrefix, stop: CLASSIC_STOP };
    const classic = { ...call, settings, messages: classicMessages(messages, reasoning) };
    const deltas = metered(messages, until, (stop) => provider(classic, stop));
    return readClassic(deltas, tools, step, (reasoningText) => reasoning.push(reasoningText));
  }

  function metered(
    messages: readonly ChatMessage[],
    until: AbortSignal,
    request: (stop: AbortSignal) => AsyncIterable<Delta>,
  ) {
    const added = messages.slice(prompt.messages.length);
    return meter.pass(request, () => firstPromptTokens + callTokens(added) + imageTokens, until);
  }

  function finish(ended: ToolCall): Promise<FinishedCall> {
    const imageParts = rules.showsImages ? callImages(ended) : [];
    imageTokens += imageParts.reduce((sum, image) => sum + prompt.files.attachments.tokensOf(image), 0);
    return withImages(deps, ask, prompt, finishedCall(ended, ask.input.replyId, rules), imageParts);
  }
}

/** Lists what the model is offered in the next step. */
function shownTools({ tools, hidden }: ChosenTools): Tool[] {
  return [...tools.values()].filter(({ name }) => !hidden.has(name));
}

function isAllowedBy({ callsUnasked }: Ask, { from, isLent }: Tool, doActionsAsk: boolean): boolean {
  return callsUnasked && !isLent && (from.source === 'plugin' || (from.source === 'action' && !doActionsAsk));
}

function withOptions(call: ProviderCall, options: ChosenTools['agent']): ProviderCall {
  if (!options) return call;
  const { model, temperature, target } = options;
  return { ...call, model, target: target ?? call.target, settings: { ...call.settings, temperature } };
}

/** Gives the call the images that it made. */
async function withImages(
  { readFile }: AgentDeps,
  { userId }: Ask,
  { files, record }: Prompt,
  call: FinishedCall,
  images: readonly ImagePart[],
): Promise<FinishedCall> {
  if (images.length === 0) return call;
  const step = { content: '', signatures: [], calls: [{ call, images }] };
  const shown = [{ role: 'assistant' as const, content: '', steps: [step] }];
  const [message] = await loadAttachments(shown, userId, files.attachments, readFile, record.addImage);
  return message?.calls?.[0] ?? call;
}

const MINUTE_SECONDS = 60;

export async function countCall(
  { db, toolCallsPerMinute }: Pick<AgentDeps, 'db' | 'toolCallsPerMinute'>,
  userId: string,
): Promise<number | null> {
  const { allowed, retryAfterSeconds } = await consume(db, `tool:${userId}`, toolCallsPerMinute, MINUTE_SECONDS);
  return allowed ? null : retryAfterSeconds;
}

// The calls of a model for a research: alone, and in loops of their own with tools that only read.
import { defaultAgentLimits, type Agent, type AgentLimits } from '../../agents/agent.ts';
import { runAgent } from '../../agents/loop.ts';
import { estimateTokens } from '../../catalog/count-tokens.ts';
import type { ToolCall } from '@parley/schema/messages/messages';
import { refuse } from '../../platform/errors.ts';
import type { ChatMessage, ProviderCall } from '../../providers/provider.ts';
import type { Researcher, SearchRun } from '../../research/research.ts';
import type { Ask } from '../begin/ask.ts';
import type { Prompt } from '../answer/build-prompt.ts';
import { countCall, type AgentDeps } from '../answer/run-agent.ts';
import { offerTools, type ToolOffer } from '../answer/offer-tools.ts';
import { callTokens, finishedCall } from '../context/steps.ts';
import { endpointStepRules } from '../context/context-limits.ts';
import type { ReadingTools } from './reading-tools.ts';

interface Calling extends ReadingTools {
  ask: Ask;
  prompt: Prompt;
  call: ProviderCall;
  asked: string;
}

export function createResearcher(deps: AgentDeps, calling: Calling): Researcher {
  const { prompt, call, asked, ask: asking, tools, hidden } = calling;
  const { provider } = asking.endpoint;
  const offer = offerTools({ tools, hidden }, call, deps.refusals);
  const question = prompt.messages.findLast(({ role }) => role === 'user') ?? { role: 'user' as const, content: asked };
  const promptTokens = (message: ChatMessage) => estimateTokens(message.content) + callTokens([message]);
  return {
    asked,
    promptTokens,
    question: (request) => ({ ...question, content: `${question.content}\n\n---\n\n${request}` }),
    ask: (message, meter, signal) =>
      meter.pass(
        (until) => provider({ ...call, messages: [message], summary: null, thread: undefined }, until),
        () => promptTokens(message),
        signal,
      ),
    search: (message, run, signal) =>
      runAgent(searchAgent(deps, calling, { offer, message, run, promptTokens }), signal),
  };
}

interface Searching {
  offer: ToolOffer;
  message: ChatMessage;
  run: SearchRun;
  promptTokens(message: ChatMessage): number;
}

/** Asks nobody: what would need a person is refused, and the model is told so. */
function searchAgent(
  deps: AgentDeps,
  { ask, call, tools, hidden }: Calling,
  { offer, message, run, promptTokens }: Searching,
): Agent {
  const { userId, input, endpoint, model } = ask;
  const rules = { ...endpointStepRules(endpoint, model), showsImages: false };
  const limits: AgentLimits = { ...defaultAgentLimits, ...deps.agentLimits, steps: run.calls, runMs: run.runMs };
  return {
    userId,
    convoId: input.conversationId,
    generationId: input.generationId,
    tools,
    problems: [],
    messages: [message],
    firstStep: run.firstStep,
    open: null,
    limits,
    ask: ({ messages, toolChoice }, until) =>
      run.meter.pass(
        (stop) =>
          offer.ask((specs) => {
            if (specs.length === 0)
              refuse({ type: 'conflict', text: `${model} takes no tools, which a research needs` });
            const offered = specs.filter(({ name }) => !hidden.has(name));
            return endpoint.provider(
              {
                ...call,
                messages,
                summary: null,
                thread: undefined,
                tools: offered,
                ...(toolChoice && { toolChoice }),
              },
              stop,
            );
          }),
        () => promptTokens(message) + callTokens(messages.slice(1)),
        until,
      ),
    finish: async (ended: ToolCall) => finishedCall(ended, input.replyId, rules),
    flush: () => deps.flush(),
    cannotAsk: true,
    isGranted: async () => true,
    grant: async () => {},
    countCall: () => countCall(deps, userId),
    onFault: (error) => deps.onFault(error),
    onServiceFailure: (failure) => deps.onServiceFailure(failure),
  };
}

// Answers a question with the tools that its conversation has chosen.
import type { Db } from '@parley/db/client';
import type { Attachment, FilePart, ImagePart, ToolCall } from '@parley/schema/messages/messages';
import {
  CLASSIC_STOP,
  classicInstructions,
  classicMessages,
  readClassic,
  SELF_REFLECTION,
  selfReflection,
} from '../../agents/classic.ts';
import type { Agent, AgentLimits, ModelStep, OpenStep, ToolServiceFailure } from '../../agents/agent.ts';
import { runAgent } from '../../agents/loop.ts';
import type { StepMeter } from '../../billing/meter-steps.ts';
import type { Delta } from '../../generation/delta.ts';
import { consume } from '../../platform/rate-limiter.ts';
import type { ChatMessage, FinishedCall, Provider, ProviderCall } from '../../providers/provider.ts';
import { grantTool, isGranted } from '../../tools/grants.ts';
import { TOOLS_MAX, type ToolRegistry } from '../../tools/registry.ts';
import type { Chosen, Lender, Tool } from '../../tools/tool.ts';
import type { ChosenAgent } from './agent-options.ts';
import { offerTools } from './offer-tools.ts';
import type { ToollessModels } from './toolless-models.ts';
import { withoutTold } from '../context/earlier-notices.ts';
import { loadAttachments, type AttachmentRules, type ReadFile } from '../context/files/attachments.ts';
import { callTokensOf, finishedCall, picturesOf, withoutSteps, type StepRules } from '../context/steps.ts';

export interface AgentDeps {
  db: Db;
  readFile: ReadFile;
  tools: ToolRegistry;
  agentLimits: AgentLimits;
  toolCallsPerMinute: number;
  toolless: ToollessModels;
  /** Writes everything sent so far to the database; false when it could not be written. */
  flush(): Promise<boolean>;
  onFault(error: unknown): void;
  onServiceFailure(failure: ToolServiceFailure): void;
}

/** What the model is asked, by whom, and where its answer goes. */
export interface AgentAsk {
  userId: string;
  convoId: string;
  generationId: string;
  replyId: string;
  /** The keys of the chosen tools. */
  keys: readonly string[];
  /**
   * For a client that cannot show a question: who chose a plugin or an action there has allowed its calls, but none that
   * is asked about by itself.
   */
  callsUnasked: boolean;
  files: readonly FilePart[];
  /** As `Chosen.branch`. */
  branch: NonNullable<Chosen['branch']>;
  /** Set where somebody else's assistant answers. */
  lender: Lender | undefined;
  /** The greatest number of a web source that the reply has already. */
  lastSourceNumber: number;
  /** The messages above the question, whose notices are not repeated. */
  rowsAbove: Parameters<typeof withoutTold>[1];
  /** Offered beside the chosen tools, unless one of these has its name. */
  fileSearch: Tool | null;
  /** Without tools. */
  call: ProviderCall;
  provider: Provider;
  meter: StepMeter;
  /** Of the first model call, as it was set aside. */
  firstPromptTokens: number;
  attachments: AttachmentRules;
  /** Gets each image that the model is shown again with the call that made it. */
  onImage(image: ImagePart): void;
  /** Called when the model is asked without the calls of earlier answers, since no tool can be offered. */
  onWithoutSteps(): void;
  rules: StepRules;
  firstStep: number;
  open: OpenStep | null;
  /** What the model thought before the calls of each step that the reply has already. */
  thoughts: readonly string[];
  /** Null: calls of the provider's protocol, with the model and the settings of the conversation. */
  options: ChosenAgent | null;
}

export async function* agentDeltas(deps: AgentDeps, ask: AgentAsk, signal: AbortSignal): AsyncGenerator<Delta> {
  const { userId, convoId, generationId, keys, call, lastSourceNumber, branch, lender } = ask;
  const files: readonly Attachment[] = ask.files;
  const waiting = (ask.open?.calls ?? []).filter(({ state }) => state === 'waiting').map(({ name }) => name);
  const { tools: chosen, problems: found } = await deps.tools.for({
    userId,
    convoId,
    keys,
    files,
    branch,
    lender,
    lastSourceNumber,
    waiting,
  });
  const problems = await withoutTold(found, ask.rowsAbove);
  const isClassic = ask.options?.agent === 'classic';
  const offered = withTool(chosen, ask.fileSearch);
  const tools = isClassic && offered.size > 0 ? new Map([...offered, [SELF_REFLECTION, selfReflection]]) : offered;
  const thoughts = [...ask.thoughts];
  let pictureTokens = 0;
  const agentCall = withOptions(call, ask.options);
  const offer = offerTools(tools, agentCall, deps.toolless);
  const agent: Agent = {
    userId,
    convoId,
    generationId,
    tools,
    problems,
    messages: call.messages,
    firstStep: ask.firstStep,
    open: ask.open,
    limits: deps.agentLimits,
    ask: (step, until) => (isClassic && tools.size > 0 ? askClassic(step, until) : askModel(step, until)),
    finish: (ended) => {
      const pictures = ask.rules.showsImages ? picturesOf(ended) : [];
      pictureTokens += pictures.reduce((sum, picture) => sum + ask.attachments.tokensOf(picture), 0);
      return finish(deps, ask, ended, pictures);
    },
    flush: () => deps.flush(),
    cannotAsk: ask.callsUnasked,
    isGranted: async (tool) => isAllowedBy(ask, tool) || isGranted(deps.db.query, userId, tool),
    grant: (tool) => grantTool(deps.db.query, userId, tool),
    countCall: () => countCall(deps, userId),
    onFault: (error) => deps.onFault(error),
    onServiceFailure: (failure) => deps.onServiceFailure(failure),
  };
  yield* runAgent(agent, signal);

  function askModel({ messages, toolChoice }: ModelStep, until: AbortSignal) {
    return metered(messages, until, (stop) =>
      offer.ask((specs) => {
        if (specs.length > 0)
          return ask.provider({ ...agentCall, messages, tools: specs, ...(toolChoice && { toolChoice }) }, stop);
        ask.onWithoutSteps();
        return ask.provider({ ...agentCall, messages: withoutSteps(messages) }, stop);
      }),
    );
  }

  function askClassic(step: ModelStep, until: AbortSignal) {
    const { messages, toolChoice } = step;
    const promptPrefix = classicInstructions(tools.values(), toolChoice !== 'none');
    const settings = { ...agentCall.settings, promptPrefix, stop: CLASSIC_STOP };
    const asked = { ...agentCall, settings, messages: classicMessages(messages, thoughts) };
    const deltas = metered(messages, until, (stop) => ask.provider(asked, stop));
    return readClassic(deltas, tools, step, (thought) => thoughts.push(thought));
  }

  function metered(
    messages: readonly ChatMessage[],
    until: AbortSignal,
    request: (stop: AbortSignal) => AsyncIterable<Delta>,
  ) {
    const added = messages.slice(call.messages.length);
    return ask.meter(request, async () => ask.firstPromptTokens + callTokensOf(added) + pictureTokens, until);
  }
}

function isAllowedBy({ callsUnasked }: AgentAsk, { from, isLent }: Tool): boolean {
  return callsUnasked && !isLent && (from.source === 'plugin' || from.source === 'action');
}

function withOptions(call: ProviderCall, options: ChosenAgent | null): ProviderCall {
  if (!options) return call;
  const { model, temperature, target } = options;
  return { ...call, model, target: target ?? call.target, settings: { ...call.settings, temperature } };
}

function withTool(tools: ReadonlyMap<string, Tool>, tool: Tool | null): ReadonlyMap<string, Tool> {
  if (!tool || tools.has(tool.name) || tools.size >= TOOLS_MAX) return tools;
  return new Map([...tools, [tool.name, tool]]);
}

/** The call for the model, with the pictures that it made. */
async function finish(
  { readFile }: AgentDeps,
  ask: AgentAsk,
  ended: ToolCall,
  images: readonly ImagePart[],
): Promise<FinishedCall> {
  const call = finishedCall(ended, ask.replyId, ask.rules);
  if (images.length === 0) return call;
  const step = { content: '', seals: [], calls: [{ call, images }] };
  const [message] = await loadAttachments(
    [{ role: 'assistant', content: '', steps: [step] }],
    ask.userId,
    ask.attachments,
    readFile,
    (image) => ask.onImage(image),
  );
  return message?.calls?.[0] ?? call;
}

const MINUTE_SECONDS = 60;

async function countCall({ db, toolCallsPerMinute }: AgentDeps, userId: string): Promise<number | null> {
  const { allowed, retryAfterSeconds } = await consume(db, `tool:${userId}`, toolCallsPerMinute, MINUTE_SECONDS);
  return allowed ? null : retryAfterSeconds;
}

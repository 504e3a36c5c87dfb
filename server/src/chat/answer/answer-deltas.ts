// What the model answers to an ask: reads the history, calls the provider, with tools where some are chosen.
import type { ContextRecord, ImagePart, Message } from '@parley/schema/messages/messages';
import { takesPictures } from '@parley/schema/catalog/vision';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import type { Billing } from '../../billing/billing.ts';
import type { Delta } from '../../generation/delta.ts';
import type { GenerationLog } from '../../generation/log.ts';
import type { Provider, ProviderCall, ProviderTarget } from '../../providers/provider.ts';
import type { ShownPassage } from '../../retrieval/cite.ts';
import { createFileSearch, type SearchedFiles } from '../../tools/builtin/file-search.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { chargeableOf } from '../chargeable.ts';
import { loadAttachments } from '../context/files/attachments.ts';
import type { FilesShown } from '../context/files/files-shown.ts';
import { createSentImages, recordImages } from '../context/files/images-sent.ts';
import { spokenType, toolKeysOf } from '../context/context-limits.ts';
import type { Summaries } from '../context/summaries.ts';
import {
  continuePassages,
  noteContext,
  readShownPassages,
  withShownPassages,
} from '../context/files/shown-passages.ts';
import type { RunKey } from '../finalize.ts';
import { thoughtsOf, withoutSteps } from '../context/steps.ts';
import { withFolder } from './folder-instructions.ts';
import { nextStepOf, openStepOf, lastSourceNumberIn } from './open-step.ts';
import { planPrompt, type PlanDeps, type PlannedPrompt } from './plan-prompt.ts';
import { agentOptionsOf } from './agent-options.ts';
import { withCompletion } from './complete-answer.ts';
import { capturingProviderThread, findProviderThread } from '../provider-thread.ts';
import { agentDeltas, type AgentAsk, type AgentDeps } from './run-agent.ts';

export interface AnswerDeps extends PlanDeps, Omit<AgentDeps, 'flush' | 'onFault' | 'onServiceFailure'> {
  generationLog: Pick<GenerationLog, 'drain'>;
  summaries: Summaries;
  billing: Billing;
}

/** What a run records beside its reply. */
export interface Learned {
  context: Message['context'];
  thread: ProviderThread | null;
  /** The passages that the model got, by whose numbers it cites them. */
  passages: readonly ShownPassage[];
  /** When the provider was called last, in `performance.now()` time. */
  calledAt: number;
}

export interface Answering {
  target: ProviderTarget;
  learned: Learned;
  /** Which run it is. */
  key: RunKey;
  /** Called whenever something of an answer arrives. */
  onBytes(): void;
  onFault(error: unknown): void;
  onServiceFailure: AgentDeps['onServiceFailure'];
}

export async function* answerDeltas(
  deps: AnswerDeps,
  ask: Ask,
  result: AskResult,
  { target, learned, key, onBytes, onFault, onServiceFailure }: Answering,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const { db, summaries, billing, readFile } = deps;
  const { userId, endpoint, model } = ask;
  const { reserved } = result;
  const created = { ...result.created, convo: await withFolder(db, userId, result.created.convo) };
  const { convo, reply } = created;
  const { settings } = convo;
  const rules = { endpointType: spokenType(endpoint), model, showsImages: takesPictures(model) };
  const open = openStepOf(reply, ask.input.target, rules);
  const prompt = yield* planPrompt(deps, ask, { created }, open?.from ?? reply.parts.length, signal);
  const { plan, files, attachments } = prompt;
  const {
    messages: shown,
    summary,
    context,
  } = await summaries.complete(plan, { userId, convo, endpoint, model }, signal);
  // Stopped before the provider was called: there is no output and no charge.
  if (signal.aborted) return;
  const earlier = reply.parts.length > 0 ? await readShownPassages(db.query, userId, reply.context) : [];
  const told = continuePassages(files.passages, earlier);
  learned.passages = told;
  const images = createSentImages(() => learn());
  const learn = () => (learned.context = contextOf(ask, prompt, context, images.list(), told));
  const note = () => noteContext(db, key, reply.messageId, learn());
  learn();
  if (told.length > 0 || reply.context) await note();
  const read = new Set<ImagePart>();
  const messages = await loadAttachments(shown, userId, attachments, readFile, (image) => read.add(image));
  const isPlain = target.forcePrompt === true || (!open && (!deps.tools.isOn || isEditedPlugins(ask)));
  images.set(shown, read, { hasSteps: !isPlain });
  const thread = await findProviderThread(db.query, userId, created);
  const call: ProviderCall = { target, model, settings, messages, summary, userId, thread, onBytes };
  const provider: Provider = (asked, until) => {
    learned.calledAt = performance.now();
    return endpoint.provider(asked, until);
  };
  const keys = isPlain ? [] : toolKeysOf(endpoint, model, settings);
  const usesTools = keys.length > 0 || open !== null;
  const options = usesTools ? await agentOptionsOf(ask, reserved !== null) : null;
  const chargeable = chargeableOf(db.query, ask);
  const plainCall = isPlain ? { ...call, messages: withoutSteps(messages) } : call;
  const plain = () => billing.meter(chargeable, reserved, (until) => provider(plainCall, until), signal);
  const withTools = (): AsyncIterable<Delta> => {
    const step = { rules, firstStep: nextStepOf(reply), open: open?.step ?? null, thoughts: thoughtsOf(reply.parts) };
    const meter = { meter: billing.meterSteps(chargeable, reserved), firstPromptTokens: reserved?.promptTokens ?? 0 };
    const fileSearch = fileSearchOf({ userId, told, onTold: note, find: prompt.find }, files);
    const asked: AgentAsk = {
      ...whereOf(ask),
      ...filesOf(prompt),
      lender: ask.assistant?.lender,
      rowsAbove: prompt.rowsAbove,
      onImage: images.add,
      onWithoutSteps: () => images.set(shown, read, { hasSteps: false }),
      fileSearch,
      lastSourceNumber: lastSourceNumberIn(reply),
      ...step,
      ...meter,
      keys,
      callsUnasked: ask.callsUnasked,
      options,
      call,
      provider,
    };
    const agent = agentDeltas(
      { ...deps, flush: () => deps.generationLog.drain(), onFault, onServiceFailure },
      asked,
      signal,
    );
    return options?.skipCompletion === false ? withCompletion(agent, { ...meter, call, provider }, signal) : agent;
  };
  const deltas = usesTools ? withTools() : plain();
  yield* capturingProviderThread(endpoint.type, deltas, (ids) => (learned.thread = ids));
}

/** What the model is shown. */
function contextOf(
  { assistant, endpoint }: Ask,
  { files, attachments }: PlannedPrompt,
  context: ContextRecord,
  images: readonly ImagePart[],
  told: readonly ShownPassage[],
): ContextRecord {
  const record = {
    ...context,
    ...(files.record.length > 0 && { files: files.record }),
    ...(images.length > 0 && { images: recordImages(images, endpoint.type, attachments) }),
    ...(assistant && { assistantId: assistant.id }),
  };
  return withShownPassages(record, told);
}

/** An answer of the plugins endpoint is edited and continued without tools. */
function isEditedPlugins({ endpoint, input: { target } }: Ask): boolean {
  return endpoint.type === 'gptPlugins' && (target.kind === 'continue' || target.kind === 'edit');
}

/** Null where all files are shown whole, or none can be searched. */
function fileSearchOf(searched: Omit<SearchedFiles, 'files'>, { record }: FilesShown) {
  const files = record.filter(({ shown }) => shown === 'passages');
  return files.length === 0 ? null : createFileSearch({ ...searched, files });
}

function whereOf({ userId, input }: Ask): Pick<AgentAsk, 'userId' | 'convoId' | 'generationId' | 'replyId'> {
  const { conversationId: convoId, generationId, replyId } = input;
  return { userId, convoId, generationId, replyId };
}

function filesOf({ attached, ...prompt }: PlannedPrompt): Pick<AgentAsk, 'files' | 'attachments' | 'branch'> {
  return { files: attached, attachments: prompt.attachments, branch: prompt.branch };
}

// The prompt of a reply: as much of the branch as fits, with its files, images, passages and a summary, as plain data.
import type { Db } from '@parley/db/client';
import type { Convo } from '@parley/schema/convos/convos';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type ImagePart, type Message } from '@parley/schema/messages/messages';
import { withKnowledge } from '../../assistants/chosen-tools.ts';
import type { Delta } from '../../generation/delta.ts';
import type { ChatMessage, ThreadPosition } from '../../providers/provider.ts';
import type { Ask } from '../ask-messages.ts';
import { loadAttachments, type AttachmentRules, type HistoryMessage } from '../context/files/attachments.ts';
import { contextLimitsOf, endpointStepRules } from '../context/context-limits.ts';
import { readHistory } from '../context/history.ts';
import { branchAbove } from '../context/recent-branches.ts';
import type { StepRules } from '../context/steps.ts';
import type { Summaries } from '../context/summaries.ts';
import type { RunKey } from '../finalize.ts';
import { findProviderThread } from '../provider-thread.ts';
import { withFolder } from '../../folders/folders.ts';
import { findOpenStep } from './open-step.ts';
import { beginRecord, type PromptRecord } from './prompt-record.ts';
import { readBranchFiles, type Branch, type BranchFiles, type FileDeps } from './branch-files.ts';

export interface PromptDeps extends FileDeps {
  summaries: Summaries;
}

export interface Prompt {
  convo: Convo;
  /** The reply as the run found it. */
  reply: Message;
  /** How calls are shown to this model. */
  rules: StepRules;
  /** Set where the reply goes on with calls that wait or were interrupted. */
  open: ReturnType<typeof findOpenStep>;
  files: BranchFiles;
  /** The messages above the question, the newest first. */
  rowsAbove(): AsyncIterable<Pick<Message, 'parts' | 'isCreatedByUser'>>;
  /** With their images and files. */
  messages: ChatMessage[];
  summary: string | null;
  thread: ThreadPosition | undefined;
  record: PromptRecord;
  /** Notes in the record that the model is shown calls of earlier replies, or is not. */
  showSteps(hasSteps: boolean): void;
}

/** Null when it was stopped meanwhile: there is no output and no charge. */
export async function* buildPrompt(
  deps: PromptDeps,
  ask: Ask,
  { created, key }: { created: CreatedEvent; key: RunKey },
  signal: AbortSignal,
): AsyncGenerator<Delta, Prompt | null> {
  const { userId, endpoint, model } = ask;
  const { reply } = created;
  // A question to another model has settings of its own.
  const convo = await withFolder(deps.db, userId, { ...created.convo, settings: ask.settings });
  const rules = endpointStepRules(endpoint, model);
  const open = findOpenStep(reply, ask.input.target, rules);
  const branch = findBranch(deps.db, ask, { ...created, convo }, open?.from);
  const limits = contextLimitsOf(endpoint, model, convo.settings, ask.metadata);
  const files = yield* readBranchFiles(deps, ask, branch, limits, signal);
  const plan = await readHistory(branch.source, branch.last, { ...limits, attachments: files.attachments });
  const history = await deps.summaries.complete(plan, { userId, convo, endpoint, model }, signal);
  if (signal.aborted) return null;
  const record = await beginRecord(deps.db, ask, { key, reply, files, context: history.context });
  return {
    convo,
    reply,
    rules,
    open,
    files,
    rowsAbove: () => rowsAbove(branch),
    ...(await loadMessages(deps, userId, history.messages, record, files.attachments)),
    summary: history.summary,
    thread: await findProviderThread(deps.db.query, userId, created),
    record,
  };
}

/** The reply is shown up to `shownParts`, as it begins. */
function findBranch(
  { query }: Db,
  { userId, assistant }: Ask,
  { convo, request, reply }: Pick<CreatedEvent, 'convo' | 'request' | 'reply'>,
  shownParts?: number,
): Branch {
  const begun = { ...reply, parts: reply.parts.slice(0, shownParts) };
  const hasBegun = messageText(begun) !== '' || begun.parts.some(isLoopCall);
  const last = hasBegun ? begun : withKnowledge(request, assistant);
  const source = branchAbove(query, userId, last.parentMessageId);
  return { convo, reply, source, last, said: hasBegun ? begun : request };
}

async function* rowsAbove({ source, last }: Branch) {
  if (last.parentMessageId !== null) yield* source.walkUp(last.parentMessageId);
}

/** The messages with the bytes of their images and files; the record has those images that could be read. */
async function loadMessages(
  { readFile }: Pick<PromptDeps, 'readFile'>,
  userId: string,
  shown: readonly HistoryMessage[],
  record: PromptRecord,
  attachments: AttachmentRules,
): Promise<Pick<Prompt, 'messages' | 'showSteps'>> {
  const read = new Set<ImagePart>();
  const messages = await loadAttachments(shown, userId, attachments, readFile, (image) => read.add(image));
  return { messages, showSteps: (hasSteps) => record.setImages(shown, read, hasSteps) };
}

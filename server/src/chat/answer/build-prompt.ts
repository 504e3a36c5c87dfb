// The prompt of a reply: as much of the branch as fits, with its files, images, passages and a summary, as plain data.
import type { Db } from '@parley/db/client';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { isLoopCall, type ImagePart } from '@parley/schema/messages/messages';
import { withKnowledge } from '../../assistants/chosen-tools.ts';
import type { Delta } from '../../generation/delta.ts';
import type { ChatMessage, ThreadPosition } from '../../providers/provider.ts';
import type { Ask, AskResult } from '../begin/ask.ts';
import { loadAttachments, type AttachmentRules, type HistoryMessage } from '../context/files/attachments.ts';
import { endpointStepRules } from '../context/context-limits.ts';
import { branchAbove, nothingAbove } from '../context/recent-branches.ts';
import type { Summaries } from '../context/summaries.ts';
import type { RunKey } from '../finalize.ts';
import { findProviderThread } from '../provider-thread.ts';
import { fitBranch, type FittedBranch } from './fit-branch.ts';
import { findOpenStep } from './open-step.ts';
import { beginRecord, type PromptRecord } from './prompt-record.ts';
import type { Branch, BranchFiles, FileDeps } from './branch-files.ts';

export interface PromptDeps extends FileDeps {
  summaries: Summaries;
}

export interface Prompt {
  branch: Branch;
  /** Set where the reply goes on with calls that wait or were interrupted. */
  open: ReturnType<typeof findOpenStep>;
  /** Lists the keys of the tools that may be offered. */
  toolKeys: readonly string[];
  /** Limits the tokens of tools' descriptions and schemas: a quarter of the window. */
  specTokensMax: number;
  files: BranchFiles;
  /** They include their images and files. */
  messages: ChatMessage[];
  summary: string | null;
  thread: ThreadPosition | undefined;
  record: PromptRecord;
  /** The rows of the skills that were on when it was asked; undefined where they have not been read. */
  skills: unknown;
  /** They are those of the branch with what is remembered. */
  settings: FittedBranch['settings'];
  /** Holds what is remembered, behind the instructions of a call; null where nothing is. */
  memory: FittedBranch['memory'];
  /** Notes in the record that the model is shown calls of earlier replies, or is not. */
  showSteps(hasSteps: boolean): void;
}

/** Null when it was stopped meanwhile: there is no output and no charge. */
export async function* buildPrompt(
  deps: PromptDeps,
  ask: Ask,
  { created, asker, key }: Pick<AskResult, 'created' | 'asker'> & { key: RunKey },
  signal: AbortSignal,
): AsyncGenerator<Delta, Prompt | null> {
  const open =
    created.reply.parts.length > 0
      ? findOpenStep(created.reply, ask.input.target, endpointStepRules(ask.endpoint, ask.model))
      : null;
  // A question to another model has settings of its own.
  const convo = { ...created.convo, settings: ask.settings };
  const found = findBranch(deps.db, ask, { ...created, convo }, open?.from);
  const { branch, limits, files, plan, ...told } = yield* fitBranch(deps, ask, found, asker, signal);
  const history = plan.due
    ? await deps.summaries.complete(plan.history, plan.due, { ...ask, convo: branch.convo }, signal)
    : plan.history;
  if (signal.aborted) return null;
  const isBare = history.messages.every((message) => !message.images && !message.files && !message.steps);
  const record = await beginRecord(deps.db, ask, {
    key,
    reply: created.reply,
    files,
    context: { ...history.context, ...told.beside },
  });
  return {
    branch,
    open,
    toolKeys: limits.toolKeys,
    specTokensMax: Math.floor(limits.window / 4),
    files,
    ...(isBare
      ? { messages: history.messages.map(({ role, content }) => ({ role, content })), showSteps: () => {} }
      : await loadMessages(deps, ask.userId, history.messages, record, files.attachments)),
    summary: history.summary,
    thread:
      branch.last.parentMessageId === null ? undefined : await findProviderThread(deps.db.query, ask.userId, created),
    record,
    memory: told.memory,
    settings: told.settings,
    skills: asker.skills,
  };
}

/** Finds the branch, with the reply up to `shownParts`, as it begins. */
function findBranch(
  { query }: Db,
  { userId, assistant }: Ask,
  { convo, request, reply }: Pick<CreatedEvent, 'convo' | 'request' | 'reply'>,
  shownParts?: number,
): Branch {
  const begun = { ...reply, parts: reply.parts.slice(0, shownParts) };
  const hasBegun = begun.parts.some((part) => (part.type === 'text' ? part.text !== '' : isLoopCall(part)));
  const said = hasBegun ? begun : request;
  const last = assistant && !hasBegun ? withKnowledge(request, assistant) : said;
  const { parentMessageId } = last;
  const source = parentMessageId === null ? nothingAbove : branchAbove(query, userId, parentMessageId);
  return { convo, reply, source, last, said, lent: [], sharedFolder: null, written: convo.settings };
}

/** Loads the messages with the bytes of their images and files; the record has the images that could be read. */
async function loadMessages(
  { readFile }: Pick<PromptDeps, 'readFile'>,
  userId: string,
  shown: readonly HistoryMessage[],
  record: PromptRecord,
  attachments: AttachmentRules,
): Promise<Pick<Prompt, 'messages' | 'showSteps'>> {
  const read = new Set<ImagePart>();
  const messages = await loadAttachments(shown, userId, attachments, readFile, (image) => read.add(image));
  const showSteps = (hasSteps: boolean) => record.setImages(shown, read, hasSteps);
  showSteps(true);
  return { messages, showSteps };
}

import type { Db } from '@parley/db/client';
import { isLoopCall, textOf, type FilePart, type Message } from '@parley/schema/messages/messages';
import { withKnowledge } from '../../assistants/chosen-tools.ts';
import type { Convo } from '@parley/schema/convos/convos';
import type { Delta } from '../../generation/delta.ts';
import type { BranchText } from '../../tools/tool.ts';
import type { Finding } from '../../retrieval/find.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { Timings } from '../../timings.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { textReader, type AttachmentRules, type ReadFile } from '../context/files/attachments.ts';
import { branchTexts } from '../context/branch-texts.ts';
import { contextLimitsOf, fileRulesOf, withFiles } from '../context/context-limits.ts';
import type { LentFiles } from '../context/files/file-reading.ts';
import { filesOfBranch, type FilesShown } from '../context/files/files-shown.ts';
import { findForReader } from '../context/files/find-lent.ts';
import { lineUpFrom, readHistory, type Fitting } from '../context/history.ts';
import { prepareFiles } from '../context/files/prepare-files.ts';
import { branchAbove } from '../context/recent-branches.ts';

export interface PlanDeps {
  db: Db;
  readFile: ReadFile;
  retrieval: Pick<Retrieval, 'wake' | 'find' | 'sectionsOf' | 'citesWhole'>;
  timings: Pick<Timings, 'documentWaitMs'>;
}

export interface PlannedPrompt {
  plan: Fitting;
  files: FilesShown;
  /** The files of the branch and of the assistant, as far as tools may read them. */
  attached: readonly FilePart[];
  /** Searches those that are shown by passages. */
  find: Retrieval['find'];
  attachments: AttachmentRules;
  /** What the branch says, the reply included; each call reads it anew. */
  branch(): AsyncIterable<BranchText>;
  /** The messages above the question, the newest first. */
  rowsAbove(): AsyncIterable<Pick<Message, 'parts' | 'isCreatedByUser'>>;
}

/**
 * As much of the branch as fits, with its files. Waits for those that are still being indexed. The reply is shown up to
 * `before`, the index of a part.
 */
export async function* planPrompt(
  { db, readFile, retrieval, timings }: PlanDeps,
  { userId, endpoint, model, metadata, input, assistant }: Ask,
  { created: { convo, request, reply } }: Pick<AskResult, 'created'>,
  before: number,
  signal: AbortSignal,
): AsyncGenerator<Delta, PlannedPrompt> {
  const begun = { ...reply, parts: reply.parts.slice(0, before) };
  const last = isBegun(begun) ? begun : withKnowledge(request, assistant);
  const source = branchAbove(db.query, userId, last.parentMessageId);
  const limits = contextLimitsOf(endpoint, model, convo.settings, metadata);
  const branch = lineUpFrom(source, last);
  const asked = await filesOfBranch(branch, { resends: limits.attachments.resends, windowTokens: limits.window });
  const lent = lentFilesOf(assistant);
  const find = findForReader(retrieval.find, assistant?.lender, lent);
  const preparing = {
    query: db.query,
    userId,
    lent,
    textOf: textReader(userId, readFile),
    find: (ask: Omit<Finding, 'userId'>) => find({ ...ask, userId }, signal),
    sectionsOf: (fileId: string) => retrieval.sectionsOf(userId, fileId, signal),
    citesWhole: retrieval.citesWhole,
    wake: retrieval.wake,
    waitMs: timings.documentWaitMs,
    callId: reply.parts.length === 0 ? `files-${input.generationId}` : null,
  };
  const files = yield* prepareFiles(preparing, { ...asked, ...fileRulesOf(limits) }, signal);
  const { attachments } = withFiles(limits, files.view);
  const above = last.parentMessageId;
  const rowsAbove = async function* () {
    if (above !== null) yield* source.walkUp(above);
  };
  const plan = await readHistory(source, last, { ...limits, attachments });
  const instructions = ownInstructionsOf(convo, assistant);
  // Without the assistant's files, which the person has not attached here.
  const said = () => lineUpFrom(source, isBegun(begun) ? begun : request);
  const texts = () => branchTexts({ reading: preparing, instructions, reply, above: said });
  const attached = withOwn(asked.files, assistant).filter(({ fileId }) => !lent?.fileIds.has(fileId));
  return { plan, files, attached, find, attachments, rowsAbove, branch: texts };
}

/** What the person wrote for this conversation, its folder and an assistant of their own. */
function ownInstructionsOf({ settings }: Convo, assistant: Ask['assistant']): string[] {
  const { promptPrefix, instructions } = settings;
  return [promptPrefix, instructions, assistant?.ownInstructions].filter((text) => typeof text === 'string');
}

/** Of an assistant that another shares: its files are its owner's. */
function lentFilesOf(assistant: Ask['assistant']): LentFiles | undefined {
  if (!assistant?.lender) return undefined;
  return { ownerId: assistant.lender.userId, fileIds: new Set(assistant.files.map(({ fileId }) => fileId)) };
}

/** The files of the branch, and the assistant's, each once. */
function withOwn(files: readonly FilePart[], assistant: Ask['assistant']): FilePart[] {
  const own = (assistant?.files ?? []).filter((file): file is FilePart => file.type === 'file');
  return [...new Map([...files, ...own].map((file) => [file.fileId, file])).values()];
}

/** Whether there is something to go on from. */
function isBegun(reply: Message): boolean {
  return textOf(reply) !== '' || reply.parts.some(isLoopCall);
}

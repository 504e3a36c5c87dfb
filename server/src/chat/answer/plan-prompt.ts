import type { Db } from '@parley/db/client';
import { isLoopCall, textOf, type FilePart, type Message } from '@parley/schema/messages/messages';
import { withKnowledge } from '../../assistants/chosen-tools.ts';
import type { Delta } from '../../generation/delta.ts';
import type { Finding } from '../../retrieval/find.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { Timings } from '../../timings.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { textReader, type AttachmentRules, type ReadFile } from '../context/attachments.ts';
import { contextLimitsOf, fileRulesOf, withFiles } from '../context/context-limits.ts';
import { filesOfBranch, type FilesShown } from '../context/files-shown.ts';
import { lineUpFrom, readHistory, type Fitting } from '../context/history.ts';
import { prepareFiles } from '../context/prepare-files.ts';
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
  /** The files of the branch and of the assistant. */
  attached: readonly FilePart[];
  attachments: AttachmentRules;
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
  const preparing = {
    query: db.query,
    userId,
    textOf: textReader(userId, readFile),
    find: (ask: Omit<Finding, 'userId'>) => retrieval.find({ ...ask, userId }, signal),
    sectionsOf: (fileId: string) => retrieval.sectionsOf(userId, fileId, signal),
    citesWhole: retrieval.citesWhole,
    wake: retrieval.wake,
    waitMs: timings.documentWaitMs,
    callId: reply.parts.length === 0 ? `files-${input.generationId}` : null,
  };
  const files = yield* prepareFiles(preparing, { ...asked, ...fileRulesOf(limits) }, signal);
  const { attachments } = withFiles(limits, files.view);
  const plan = await readHistory(source, last, { ...limits, attachments });
  return { plan, files, attached: withOwn(asked.files, assistant), attachments };
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

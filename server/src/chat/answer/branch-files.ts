// The files of a branch and of the assistant that answers: what the model is shown of them, and what tools may read.
import type { Db } from '@parley/db/client';
import type { Convo } from '@parley/schema/convos/convos';
import type { FilePart, Message } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Finding } from '../../retrieval/find.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { Timings } from '../../timings.ts';
import type { BranchText } from '../../tools/tool.ts';
import type { Ask } from '../ask-messages.ts';
import { branchTexts } from '../context/branch-texts.ts';
import { fileRulesOf, withFiles, type ContextLimits } from '../context/context-limits.ts';
import { textReader, type AttachmentRules, type ReadFile } from '../context/files/attachments.ts';
import { filesOfBranch, type FilesShown } from '../context/files/files-shown.ts';
import { findForReader, assistantLentFiles } from '../context/files/find-lent.ts';
import { prepareFiles, type Preparing } from '../context/files/prepare-files.ts';
import { lineUpFrom, type HistorySource } from '../context/history.ts';

export interface FileDeps {
  db: Db;
  readFile: ReadFile;
  retrieval: Pick<Retrieval, 'wake' | 'find' | 'sectionsOf' | 'citesWhole'>;
  timings: Pick<Timings, 'documentWaitMs'>;
}

/** Where a reply stands in its conversation. */
export interface Branch {
  convo: Convo;
  /** The reply as the run found it. */
  reply: Message;
  source: HistorySource;
  /** The question, with the assistant's files; or the beginning of the reply, which is gone on with. */
  last: Message;
  /** The same without the assistant's files, which the person has not attached here. */
  said: Message;
}

export interface BranchFiles {
  shown: FilesShown;
  /** As far as tools may read them. */
  attached: readonly FilePart[];
  /** Searches those that are shown by passages. */
  find: Retrieval['find'];
  attachments: AttachmentRules;
  /** What the branch says, the reply included; each call reads it anew. */
  texts(): AsyncIterable<BranchText>;
}

/** Waits for files that are still being indexed. */
export async function* readBranchFiles(
  deps: FileDeps,
  ask: Ask,
  branch: Branch,
  limits: ContextLimits,
  signal: AbortSignal,
): AsyncGenerator<Delta, BranchFiles> {
  const { assistant } = ask;
  const { convo, reply, source, last, said } = branch;
  const lent = assistantLentFiles(assistant);
  const find = findForReader(deps.retrieval.find, assistant?.lender, lent);
  const reading = preparing(deps, ask, { find, lent, isFirstRun: reply.parts.length === 0 }, signal);
  const { omitted, ...asked } = await filesOfBranch(lineUpFrom(source, last), limits.attachments, limits.window);
  const shown = yield* prepareFiles(reading, { ...asked, ...fileRulesOf(limits) }, signal);
  const instructions = ownInstructions(convo, assistant);
  return {
    shown: { ...shown, record: [...shown.record, ...omitted] },
    attached: withAssistantFiles(asked.files, assistant).filter(({ fileId }) => !lent?.fileIds.has(fileId)),
    find,
    attachments: withFiles(limits, shown.view).attachments,
    texts: () => branchTexts({ reading, instructions, reply, above: () => lineUpFrom(source, said) }),
  };
}

interface FilesAsked extends Pick<BranchFiles, 'find'>, Pick<Preparing, 'lent'> {
  /** The wait for files is shown as a call. A run that goes on has shown it. */
  isFirstRun: boolean;
}

function preparing(
  { db, readFile, retrieval, timings }: FileDeps,
  { userId, input }: Ask,
  { find, lent, isFirstRun }: FilesAsked,
  signal: AbortSignal,
): Preparing {
  return {
    query: db.query,
    userId,
    lent,
    textOf: textReader(userId, readFile),
    find: (ask: Omit<Finding, 'userId'>) => find({ ...ask, userId }, signal),
    sectionsOf: (fileId: string) => retrieval.sectionsOf(userId, fileId, signal),
    citesWhole: retrieval.citesWhole,
    wake: retrieval.wake,
    waitMs: timings.documentWaitMs,
    callId: isFirstRun ? `files-${input.generationId}` : null,
  };
}

/** What the person wrote for this conversation, its folder and an assistant of their own. */
function ownInstructions({ settings }: Convo, assistant: Ask['assistant']): string[] {
  const { promptPrefix, instructions } = settings;
  return [promptPrefix, instructions, assistant?.ownInstructions].filter((text) => typeof text === 'string');
}

/** The files of the branch, and the assistant's, each once. */
function withAssistantFiles(files: readonly FilePart[], assistant: Ask['assistant']): FilePart[] {
  const own = (assistant?.files ?? []).filter((file): file is FilePart => file.type === 'file');
  return [...new Map([...files, ...own].map((file) => [file.fileId, file])).values()];
}

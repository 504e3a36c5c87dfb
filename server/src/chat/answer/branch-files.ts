// The files of a branch and of the assistant that answers: what the model is shown of them, and what tools may read.
import type { Db } from '@parley/db/client';
import type { Convo } from '@parley/schema/convos/convos';
import { messageText, type ContextFile, type FilePart, type Message } from '@parley/schema/messages/messages';
import { instructionsBefore } from '../../assistants/instructions.ts';
import type { Delta } from '../../generation/delta.ts';
import type { Finding } from '../../retrieval/find.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { Timings } from '../../config/timings.ts';
import type { BranchText } from '../../tools/tool.ts';
import type { Ask } from '../begin/ask.ts';
import { branchTexts } from '../context/branch-texts.ts';
import { fileRules, type ContextLimits } from '../context/context-limits.ts';
import { namesOnly, textReader, type AttachmentRules, type ReadFile } from '../context/files/attachments.ts';
import { isLent, type FileReading, type LentFiles } from '../context/files/file-reading.ts';
import type { FilesShown } from '../context/files/files-shown.ts';
import { findForReader } from '../context/files/find-lent.ts';
import { prepareFiles } from '../context/files/prepare-files.ts';
import { lineUpFrom, type HistorySource } from '../context/history.ts';

export interface FileDeps {
  db: Db;
  readFile: ReadFile;
  retrieval: Pick<Retrieval, 'wake' | 'find' | 'sectionsOf' | 'citesWhole'>;
  timings: Pick<Timings, 'documentWaitMs'>;
}

/** Says where a reply stands in its conversation. */
export interface Branch {
  convo: Convo;
  /** Holds the reply as the run found it. */
  reply: Message;
  source: HistorySource;
  /** Holds the question with the assistant's files, or the beginning of the reply that is continued. */
  last: Message;
  /** Holds the same without the assistant's files, which the person has not attached here. */
  said: Message;
  /** Files of other people that are searched: of the assistant that answers, and of the folder. */
  lent: readonly LentFiles[];
  /** The name of the folder where another person has written its instructions. */
  sharedFolder: string | null;
  /** The settings with no instructions but those that the person has written. */
  written: Convo['settings'];
}

/** Holds what the model is shown of a branch's files. */
export interface BranchFiles {
  /** The newest first. */
  files: readonly FilePart[];
  shown: FilesShown;
  attachments: AttachmentRules;
}

/** Lists what tools may read and search. */
export interface ToolFiles {
  attached: readonly FilePart[];
  /** Searches those that are shown by passages. */
  find: Retrieval['find'];
  /** Reads what the branch says, the reply included; each call reads it anew. */
  texts(): AsyncIterable<BranchText>;
}

const NONE_SHOWN: FilesShown = { view: namesOnly.files, passages: [], found: 0, record: [] };
/** More characters than this for each token are seldom: what lies above a branch of so many is not shown. */
const CHARS_PER_TOKEN_MAX = 6;

/** Waits for files that are still being indexed. Only looks through the branch where it has none. */
export async function* showBranchFiles(
  deps: FileDeps,
  ask: Ask,
  { convo, reply, source, last, lent }: Branch,
  limits: ContextLimits,
  signal: AbortSignal,
): AsyncGenerator<Delta, BranchFiles> {
  const { omitted, ...asked } = await filesOfBranch(lineUpFrom(source, last), limits);
  const { files } = asked;
  const { attachments } = limits;
  if (files.length === 0 && omitted.length === 0) return { files, shown: NONE_SHOWN, attachments };
  // The wait for files is shown as a call. A run that goes on has shown it.
  const callId = reply.parts.length === 0 ? `files-${ask.input.generationId}` : null;
  const waiting = { wake: deps.retrieval.wake, waitMs: deps.timings.documentWaitMs, callId };
  const preparing = { ...fileReading(deps, ask, lent, signal), ...waiting };
  const rules = fileRules(limits, ask, convo.settings);
  const shown = files.length === 0 ? NONE_SHOWN : yield* prepareFiles(preparing, { ...asked, ...rules }, signal);
  return {
    files,
    shown: { ...shown, record: [...shown.record, ...omitted] },
    attachments: { ...attachments, files: shown.view },
  };
}

/** Finds the newest question of a branch, the files shown for it, and those the endpoint does not take. */
async function filesOfBranch(
  rows: AsyncIterable<Pick<Message, 'parts' | 'isCreatedByUser'>>,
  { window, attachments: { resends, resendsImages, showsImages, takes } }: ContextLimits,
): Promise<{ files: FilePart[]; question: string; omitted: ContextFile[] }> {
  const files = new Map<string, FilePart>();
  const omitted = new Map<string, ContextFile>();
  let question: string | null = null;
  let length = 0;
  for await (const { parts, isCreatedByUser } of rows) {
    for (const part of isCreatedByUser ? parts : []) {
      if (part.type !== 'file' && part.type !== 'image') continue;
      const isShown = part.type === 'file' ? resends : showsImages && resendsImages;
      if (question !== null && !isShown) continue;
      const { fileId, name = 'image' } = part;
      if (!takes(part)) omitted.set(fileId, { fileId, name, shown: 'name', why: 'not_taken' });
      else if (part.type === 'file' && !files.has(fileId)) files.set(fileId, part);
    }
    const text = messageText({ parts });
    if (isCreatedByUser) question ??= text;
    length += text.length;
    // Older messages do not fit the window in any case.
    if ((question !== null && !resends) || length > window * CHARS_PER_TOKEN_MAX) break;
  }
  return { files: [...files.values()], question: question ?? '', omitted: [...omitted.values()] };
}

function fileReading(
  { db, readFile, retrieval }: FileDeps,
  { userId }: Ask,
  lent: Branch['lent'],
  signal: AbortSignal,
): FileReading {
  const find = findForReader(retrieval.find, lent);
  return {
    query: db.query,
    userId,
    lent,
    textOf: textReader(userId, readFile),
    find: (ask: Omit<Finding, 'userId'>) => find({ ...ask, userId }, signal),
    sectionsOf: (fileId: string) => retrieval.sectionsOf(userId, fileId, signal),
    citesWhole: retrieval.citesWhole,
  };
}

/** Gives the files to the tools of a reply. */
export function toolFiles(
  deps: FileDeps,
  ask: Ask,
  { written, reply, source, said, lent }: Branch,
  { files }: Pick<BranchFiles, 'files'>,
  signal: AbortSignal,
): ToolFiles {
  const { assistant } = ask;
  const reading = fileReading(deps, ask, lent, signal);
  const instructions = ownInstructions(written, assistant);
  return {
    attached: withAssistantFiles(files, assistant).filter((file) => !isLent(lent, file)),
    find: findForReader(deps.retrieval.find, lent),
    texts: () => branchTexts({ reading, instructions, reply, above: () => lineUpFrom(source, said) }),
  };
}

/** Collects what the person wrote for this conversation, its folder and an assistant of their own. */
function ownInstructions(settings: Convo['settings'], assistant: Ask['assistant']): string[] {
  const { promptPrefix, instructions } = settings;
  const own = [promptPrefix, instructions, assistant?.ownInstructions].filter((text) => typeof text === 'string');
  return [...instructionsBefore(settings), ...own];
}

/** Lists the files of the branch and the assistant's, each once. */
function withAssistantFiles(files: readonly FilePart[], assistant: Ask['assistant']): FilePart[] {
  const own = (assistant?.files ?? []).filter((file): file is FilePart => file.type === 'file');
  return [...new Map([...files, ...own].map((file) => [file.fileId, file])).values()];
}

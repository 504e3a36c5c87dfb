import type { CopiedShare, SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import type { MessagePart } from '@parley/schema/messages/messages';
import { filePath, presentAttachment, type FileRow } from '../files/present.ts';
import { refuse } from '../platform/errors.ts';
import { createSlices } from '../platform/event-loop.ts';
import { prepareSource } from '../transfer/prepare.ts';
import { saveConvos } from '../transfer/save.ts';
import { type SourceMessage, UNTOLD } from '../transfer/source.ts';
import { copyFiles } from './copy-files.ts';
import { openShare, readFiles } from './shares.ts';
import type { FileSaverDeps } from '../files/save-file.ts';

const MESSAGES_AT_ONCE = 200;

/**
 * Copies a shared conversation into the user's own ones, to go on with it. The same link copied again is the same
 * conversation, with what was added since. A file that cannot be copied leaves its name.
 * @throws Refusal `not_found`
 */
export async function copyShare(deps: FileSaverDeps, userId: string, id: string): Promise<CopiedShare> {
  const { thread, ownerId } = await openShare(deps, id);
  const ids = thread.files ?? [];
  const rows = new Map((await readFiles(deps, ownerId, ids)).map((row) => [row.id, row]));
  // In the order of the messages: where room ends, it is the later ones that are left out.
  const copied = await copyFiles(
    deps,
    userId,
    id,
    ids.flatMap((fileId) => rows.get(fileId) ?? []),
  );
  const fileOf = (n: number) => copied.get(ids[n - 1] ?? '');
  const { title, endpoint, endpointType, model } = thread;
  const source = {
    id: `share ${id}`,
    title,
    endpoint,
    endpointType,
    model,
    settings: {},
    isArchived: false,
    createdAt: null,
    updatedAt: Date.now(),
    messages: thread.messages.map((message) => sourceOf(message, id, fileOf)),
    dropped: 0,
  };
  const slices = createSlices(MESSAGES_AT_ONCE);
  const prepared = await prepareSource(source, { index: 0, size: 0 }, Date.now(), slices);
  if ('reason' in prepared) refuse({ type: 'not_found', what: 'share' });
  const [saved] = await saveConvos(deps.db, userId, [prepared]);
  if (saved === undefined || saved.outcome === 'skipped') refuse({ type: 'not_found', what: 'share' });
  return { conversationId: saved.conversationId, missing: missingOf(thread.messages, fileOf) };
}

/** The person's own file that became of a number of the link. */
type FileOf = (n: number) => FileRow | undefined;

/** The names of the files that are no files in the copy, each once. */
function missingOf(messages: readonly SharedMessage[], fileOf: FileOf): string[] {
  const parts = messages.flatMap((message) => message.parts);
  return [...new Set(parts.flatMap((one) => (one.type === 'file' && one.file && !fileOf(one.file.n) ? one.name : [])))];
}

function sourceOf(message: SharedMessage, shareId: string, fileOf: FileOf): SourceMessage {
  const { messageId, parentMessageId, parts, createdAt, seq: _seq, ...kept } = message;
  return {
    ...kept,
    id: `${shareId} ${messageId}`,
    parentId: parentMessageId && `${shareId} ${parentMessageId}`,
    parts: parts.map((part) => partOf(part, shareId, fileOf)),
    finishReason: null,
    ...UNTOLD,
    createdAt: Date.parse(createdAt),
    updatedAt: null,
  };
}

function partOf(part: SharedPart, shareId: string, fileOf: FileOf): MessagePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: withOwnPaths(part.text, shareId, fileOf) };
    case 'reasoning':
      return part;
    case 'tool':
      return { type: 'text', text: `\n[tool: ${part.label}]\n` };
    case 'file': {
      const own = part.file && fileOf(part.file.n);
      return own ? { ...presentAttachment(own), name: part.name } : { type: 'text', text: `\n[file: ${part.name}]\n` };
    }
    default:
      return part satisfies never;
  }
}

/** A text that links to files by the addresses of the link does so, in the copy, by those of the person's own ones. */
function withOwnPaths(text: string, shareId: string, fileOf: FileOf): string {
  const address = new RegExp(`/api/share/${shareId}/(?:images|files)/(\\d+)(?:\\.\\w+)?`, 'g');
  return text.replaceAll(address, (whole, n: string) => {
    const own = fileOf(Number(n));
    return own ? filePath(own) : whole;
  });
}

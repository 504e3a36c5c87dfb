// The search over a person's own files and those that others lend: the owner of an assistant that answers them, and of the
// folder that the chat is in.
import type { RespondingAssistant } from '../../../assistants/find-responder.ts';
import type { Finding } from '../../../retrieval/find.ts';
import type { FoundPassage } from '../../../retrieval/passages.ts';
import { isLent, type LentFiles } from './file-reading.ts';

type Find = (finding: Finding, signal: AbortSignal) => Promise<FoundPassage[]>;

/** Of an assistant that another shares: its files are its owner's. */
export function assistantLentFiles(assistant: Pick<RespondingAssistant, 'lender' | 'files'> | null): LentFiles[] {
  if (!assistant?.lender) return [];
  const { userId: ownerId, isLending } = assistant.lender;
  return [{ ownerId, fileIds: new Set(assistant.files.map(({ fileId }) => fileId)), isLending }];
}

/** Each file is searched in the name of its owner; those that are lent only as long as they are. */
export function findForReader(find: Find, lent: readonly LentFiles[]): Find {
  if (lent.every(({ fileIds }) => fileIds.size === 0)) return find;
  return async (finding, signal) => {
    const own = finding.fileIds.filter((fileId) => !isLent(lent, { fileId }));
    const others = lent
      .map((one) => ({ ...one, found: finding.fileIds.filter((id) => one.fileIds.has(id)) }))
      .filter(({ found }) => found.length > 0);
    const searches = others.length + (own.length > 0 ? 1 : 0);
    const tokensMax = Math.floor(finding.tokensMax / Math.max(searches, 1));
    const found = own.length > 0 ? await find({ ...finding, fileIds: own, tokensMax }, signal) : [];
    for (const { ownerId, found: fileIds, isLending } of others)
      if (await isLending()) found.push(...(await find({ ...finding, userId: ownerId, fileIds, tokensMax }, signal)));
    return found;
  };
}

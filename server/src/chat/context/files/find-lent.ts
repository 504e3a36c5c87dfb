// The search over a person's own files and those of another's assistant that answers them.
import type { RespondingAssistant } from '../../../assistants/find-responder.ts';
import type { Lender } from '../../../tools/tool.ts';
import type { Finding } from '../../../retrieval/find.ts';
import type { FoundPassage } from '../../../retrieval/passages.ts';
import type { LentFiles } from './file-reading.ts';

type Find = (finding: Finding, signal: AbortSignal) => Promise<FoundPassage[]>;

/** Of an assistant that another shares: its files are its owner's. */
export function assistantLentFiles(
  assistant: Pick<RespondingAssistant, 'lender' | 'files'> | null,
): LentFiles | undefined {
  if (!assistant?.lender) return undefined;
  return { ownerId: assistant.lender.userId, fileIds: new Set(assistant.files.map(({ fileId }) => fileId)) };
}

/** Each file is searched in the name of its owner; those that are lent only as long as they are. */
export function findForReader(find: Find, lender: Lender | undefined, lent: LentFiles | undefined): Find {
  if (!lender || !lent || lent.fileIds.size === 0) return find;
  return async (finding, signal) => {
    const own = finding.fileIds.filter((id) => !lent.fileIds.has(id));
    const others = finding.fileIds.filter((id) => lent.fileIds.has(id));
    const tokensMax = own.length > 0 && others.length > 0 ? Math.floor(finding.tokensMax / 2) : finding.tokensMax;
    const found = own.length > 0 ? await find({ ...finding, fileIds: own, tokensMax }, signal) : [];
    if (others.length === 0 || !(await lender.isLending())) return found;
    return [...found, ...(await find({ ...finding, userId: lent.ownerId, fileIds: others, tokensMax }, signal))];
  };
}

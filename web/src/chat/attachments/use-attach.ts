import { endpointTable } from '@parley/schema/catalog/endpoints';
import { useStore } from 'jotai';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { readFileLimits, useFileLimits } from '../../files/upload/file-config.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { i18n } from '../../i18n.ts';
import { draftKeyOf } from '../../slots/slot.ts';
import { useChatSession } from '../chat-session-context.tsx';
import type { Chat } from '../use-chat.ts';
import { attachFiles } from './attach-files.ts';
import { earlyFiles } from './early-files.ts';

export interface Attach {
  /** False where the endpoint takes no files, or the operator has turned them off. */
  isOffered: boolean;
  /** Uploads files for the question being written, or shows why that is not possible. */
  attach(files: readonly File[]): void;
}

export function useAttach({ slot, modelTarget }: Chat): Attach {
  const store = useStore();
  const { drafts } = useChatSession();
  const limits = useFileLimits(modelTarget?.endpoint);
  const isOffered = Boolean(modelTarget && endpointTable[modelTarget.endpointType].can.attach && !limits?.isDisabled);

  async function attachNow(files: readonly File[]): Promise<void> {
    // They are attached once it is known what takes them.
    if (modelTarget === undefined) return void earlyFiles.push(...files);
    if (!modelTarget) return reportUploadError(i18n.t('com_files_no_conversation'));
    if (!isOffered) return reportUploadError(i18n.t('com_files_not_here', { 0: endpointLabel(modelTarget.endpoint) }));
    const { endpoint } = modelTarget;
    const draft = draftKeyOf(slot);
    const list = drafts.attachmentsAtom(draft);
    await attachFiles({ store, list, draft, endpoint, limits: await readFileLimits(endpoint) }, files);
  }

  function attach(files: readonly File[]): void {
    if (files.length > 0) void attachNow(files);
  }

  return { isOffered, attach };
}

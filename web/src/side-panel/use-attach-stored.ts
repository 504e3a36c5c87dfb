import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { asDraftAttachment } from '../chat/drafts/draft-attachments.ts';
import { storedAttachment } from '../files/stored-attachment.ts';
import { checkFiles } from '../files/upload/check-files.ts';
import { describeProblem } from '../files/upload/describe-problem.ts';
import { useFileLimits } from '../files/upload/file-config.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { draftKeyOf } from '../slots/slot.ts';
import type { SidePanelProps } from './panel-props.ts';

/** Adds a stored file to the question being written; null where the endpoint takes no files. */
export function useAttachStored({ slot, modelTarget }: SidePanelProps['chat']): ((file: StoredFile) => void) | null {
  const { t } = useTranslation();
  const store = useStore();
  const { drafts } = useChatSession();
  const limits = useFileLimits(modelTarget?.endpoint);
  if (!modelTarget || !limits || limits.isDisabled || !endpointTable[modelTarget.endpointType].can.attach) return null;
  return (file) => {
    const list = drafts.attachmentsAtom(draftKeyOf(slot));
    const present = store.get(list);
    const { problems } = checkFiles(
      [{ file: { name: file.name, size: file.bytes }, mime: file.mime }],
      present,
      limits,
    );
    for (const { problem, names } of problems) reportUploadError(describeProblem(problem, t), names);
    if (problems.length === 0) store.set(list, [...present, asDraftAttachment(storedAttachment(file))]);
  };
}

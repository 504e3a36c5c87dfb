import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { IconPaperclip, IconPlus } from '@tabler/icons-react';
import { useStore } from 'jotai';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asDraftAttachment } from '../chat/drafts/draft-attachments.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { FileThumbnail } from '../files/file-thumbnail.tsx';
import { useFiles } from '../files/files-api.ts';
import { formatBytes } from '../files/format-bytes.ts';
import { attachmentOf } from '../files/stored-attachment.ts';
import { arrangeFiles, FIRST_ORDER, PAGE_SIZE } from '../files/table/arrange-files.ts';
import { FilesFailure } from '../files/table/files-failure.tsx';
import { paginate } from '../lib/paginate.ts';
import { Pager } from '../ui/pager.tsx';
import { checkFiles } from '../files/upload/check-files.ts';
import { describeProblem } from '../files/upload/describe-problem.ts';
import { useFileLimits } from '../files/upload/file-config.ts';
import { reportUploadError } from '../files/upload/report-upload-errors.tsx';
import { draftKeyOf } from '../slots/slot.ts';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './panel-files.module.css';
import { PanelSection } from './panel-section.tsx';
import { FILES } from './panel-state.ts';
import type { SidePanelProps } from './panel-props.ts';

/** The section of the panel that attaches files which are stored already. */
export function PanelFiles({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { t } = useTranslation();
  return (
    <PanelSection name={FILES} label={t('com_files_attach')} icon={<IconPaperclip aria-hidden />}>
      <FileList chat={chat} />
    </PanelSection>
  );
}

function FileList({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { t, i18n } = useTranslation();
  const show = useShowDialog();
  const { data, hasFailed, isFetching, refetch } = useFiles();
  const [text, setText] = useState('');
  const [wantedPage, setPage] = useState(0);
  const found = useMemo(() => arrangeFiles(data ?? [], text, FIRST_ORDER, i18n.language), [data, text, i18n.language]);
  const page = paginate(found, wantedPage, PAGE_SIZE);
  const attach = useAttachStored(chat);
  if (hasFailed) return <FilesFailure isTrying={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} />;
  return (
    <>
      <SearchField
        placeholder={t('com_files_search')}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setPage(0);
        }}
      />
      {found.length === 0 ? (
        <p className={classes.empty}>{data.length === 0 ? t('com_files_empty') : t('com_files_no_results')}</p>
      ) : (
        <ul className={classes.list}>
          {page.rows.map((file) => (
            <li key={file.fileId}>
              <button
                type="button"
                className={classes.row}
                disabled={attach === null}
                data-tooltip={t('com_files_use_again', { 0: file.name })}
                onClick={() => attach?.(file)}
              >
                <FileThumbnail file={file} />
                <span className={classes.details}>
                  <span className={classes.name} dir="auto">
                    {file.name}
                  </span>
                  <span className={classes.size}>{formatBytes(file.bytes, i18n.language)}</span>
                </span>
                <IconPlus role="img" aria-label={t('com_files_attach')} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} onPage={setPage} />
      <Button size="sm" onClick={() => show({ name: 'files' })}>
        {t('com_files_manage')}
      </Button>
    </>
  );
}

/** Adds a stored file to the question being written; null where the endpoint takes no files. */
function useAttachStored({ slot, modelTarget }: SidePanelProps['chat']): ((file: StoredFile) => void) | null {
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
    if (problems.length === 0) store.set(list, [...present, asDraftAttachment(attachmentOf(file))]);
  };
}

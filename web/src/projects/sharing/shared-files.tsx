import type { Folder } from '@parley/schema/convos/folders';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { refetchInterval } from '../../files/refetch-interval.ts';
import { useChangeFolders } from '../../folders/use-folders.ts';
import page from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { Problem } from '../../ui/primitives/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { FileRow } from '../file-row.tsx';

/** The files of a project of somebody else: their names, and for those who may change it, a way to take one out. */
export function SharedFiles({ folder: { id, sharedBy, fileIds } }: { folder: Folder }) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { setFiles } = useChangeFolders();
  const list = trpc.folders.files.useQuery(
    { id },
    { refetchOnMount: 'always', refetchInterval: ({ state }) => refetchInterval(state.data) },
  );
  const files = list.data ?? [];

  function takeOut(taken: string): void {
    setFiles({ folderId: id, fileIds: fileIds.filter((fileId) => fileId !== taken) }).then(
      () => utils.folders.files.invalidate({ id }),
      () => {},
    );
  }

  return (
    <>
      {list.isPending && <SkeletonRows count={2} />}
      {list.error && <Problem>{describeError(list.error, t)}</Problem>}
      {list.data && files.length === 0 && <p className={page.note}>{t('com_project_files_none')}</p>}
      {files.length > 0 && (
        <ul aria-label={t('com_ui_folder_files')}>
          {files.map((file) => (
            <FileRow
              key={file.fileId}
              file={file}
              // Those of its owner's sets stay.
              {...(sharedBy?.level === 'edit' &&
                fileIds.includes(file.fileId) && { onRemove: () => takeOut(file.fileId) })}
            />
          ))}
        </ul>
      )}
      {sharedBy?.level === 'edit' && <p className={page.note}>{t('com_project_files_owner')}</p>}
    </>
  );
}

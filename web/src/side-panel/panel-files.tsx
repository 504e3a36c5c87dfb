import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { FileThumbnail } from '../files/file-thumbnail.tsx';
import { useFiles } from '../files/files-api.ts';
import { formatBytes } from '../files/format-bytes.ts';
import { FilesFailure } from '../files/table/files-failure.tsx';
import { useFileSearch } from '../files/table/use-file-search.ts';
import { Pager } from '../ui/pager.tsx';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './panel-list.module.css';
import type { SidePanelProps } from './panel-props.ts';
import { useAttachStored } from './use-attach-stored.ts';

/** Attaches files that are stored already. */
export function PanelFiles({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { t, i18n } = useTranslation();
  const show = useShowDialog();
  const { data, hasFailed, isFetching, refetch } = useFiles();
  const { text, search, found, page, goTo } = useFileSearch(data);
  const attach = useAttachStored(chat);
  if (hasFailed) return <FilesFailure isTrying={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} />;
  return (
    <>
      <SearchField
        placeholder={t('com_files_search')}
        value={text}
        onChange={({ currentTarget }) => search(currentTarget.value)}
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
                  <span className={classes.name}>
                    <bdi>{file.name}</bdi>
                  </span>
                  <span className={classes.size}>{formatBytes(file.bytes, i18n.language)}</span>
                </span>
                <IconPlus role="img" aria-label={t('com_files_attach')} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} onPage={goTo} />
      <Button size="sm" onClick={() => show({ name: 'files' })}>
        {t('com_files_manage')}
      </Button>
    </>
  );
}

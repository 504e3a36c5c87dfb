import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ListFailure } from '../convos/list-failure.tsx';
import { usePinnedConvos } from '../convos/use-convos.ts';
import { useFolderConvos } from '../convos/use-folder-convos.ts';
import page from '../layout/page/page.module.css';
import { formatDate } from '../lib/format-date.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './projects.module.css';

/** The chats of a folder, pinned ones first, then the newest, in the pages of the sidebar's list. */
export function ProjectChats({ folderId }: { folderId: string }) {
  const { t, i18n } = useTranslation();
  const { convos: dated, list } = useFolderConvos(folderId);
  const pinned = usePinnedConvos().filter((convo) => convo.folderId === folderId);
  const convos = list.isSuccess ? [...pinned, ...dated] : dated;
  return (
    <>
      {list.isPending && <SkeletonRows count={3} />}
      {list.isError && <ListFailure onRetry={() => void list.refetch()} />}
      {list.isSuccess && convos.length === 0 && <p className={page.note}>{t('com_project_chats_none')}</p>}
      {convos.length > 0 && (
        <ul className={classes.list} aria-label={t('com_project_chats')}>
          {convos.map(({ conversationId, title, updatedAt }) => (
            <li key={conversationId} className={classes.row}>
              <Link className={classes.name} href={`/c/${conversationId}`} dir="auto">
                {title ?? t('com_ui_new_chat')}
              </Link>
              <span className={classes.fact}>{formatDate(updatedAt, i18n.language)}</span>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div>
          <Button size="sm" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('com_ui_show_more_rows')}
          </Button>
        </div>
      )}
    </>
  );
}

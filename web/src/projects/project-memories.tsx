import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { describeError } from '../errors/describe-error.ts';
import page from '../layout/page/page.module.css';
import { MemoryEntry } from '../settings/memory/memory-entry.tsx';
import { useRereadMemories } from '../settings/memory/use-reread-memories.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './projects.module.css';

/** What the chats of a folder have remembered. */
export function ProjectMemories({ folderId }: { folderId: string }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  useRereadMemories();
  const list = trpc.memories.list.useQuery();
  const own = (list.data ?? []).filter(({ scope }) => scope === `folder:${folderId}`);
  return (
    <>
      {list.isPending && <SkeletonRows count={2} />}
      {list.error && (
        <p className={page.note} role="alert">
          {describeError(list.error, t)}
        </p>
      )}
      {list.data && own.length === 0 && <p className={page.note}>{t('com_project_memories_none')}</p>}
      {own.length > 0 && (
        <ul className={classes.list} aria-label={t('com_project_memories')}>
          {own.map((memory) => (
            <MemoryEntry key={memory.id} memory={memory} />
          ))}
        </ul>
      )}
      <div>
        <Button size="sm" onClick={() => show({ name: 'settings', at: { tab: 'memory' } })}>
          {t('com_project_memories_open')}
        </Button>
      </div>
    </>
  );
}

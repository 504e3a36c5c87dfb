import '../../palette/lazy-words.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import type { BIN_DAYS, Deletion } from '@parley/schema/deletions';
import { IconMessage, IconMessages, IconRestore } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../lib/busy-button.tsx';
import { trpc } from '../../trpc.ts';
import { dateOf } from '../convos/date-of.ts';
import { DialogFrame } from './dialog-frame.tsx';
import classes from './list-dialog.module.css';
import { ListDialogBody } from './list-dialog-body.tsx';
import { useRestore } from '../convos/use-restore.ts';

const DAYS: typeof BIN_DAYS = 7;
const PAGE = { limit: 50 };

/** What was deleted lately, newest first, to be brought back. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  const bin = useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.bin, PAGE, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.bin.query({ ...PAGE, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    // The feed says what is gone from the lists, not what came here.
    staleTime: 0,
  });
  const deletions = bin.data?.pages.flatMap((page) => page.deletions) ?? [];
  return (
    <DialogFrame title={t('com_bin')} size="lg" onClose={onClose}>
      <p className={classes.hint}>{t('com_bin_hint', { count: DAYS })}</p>
      <ListDialogBody query={bin} count={deletions.length} empty={t('com_bin_empty')}>
        {deletions.map((deletion) => (
          <BinRow key={deletion.deletionId} deletion={deletion} />
        ))}
      </ListDialogBody>
    </DialogFrame>
  );
}

function BinRow({ deletion }: { deletion: Deletion }) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const restore = useRestore();
  const [isRestoring, setRestoring] = useState(false);
  const { deletionId, label, deletedAt } = deletion;
  const name = label || t('com_ui_new_chat');

  async function bringBack(): Promise<void> {
    setRestoring(true);
    await restore(deletionId);
    await queries.invalidateQueries({ queryKey: getQueryKey(trpc.convos.bin) });
    setRestoring(false);
  }

  return (
    <li className={classes.row}>
      {deletion.kind === 'convos' ? <IconMessages aria-hidden /> : <IconMessage aria-hidden />}
      <div className={classes.what}>
        <span className={classes.name} dir="auto" title={name}>
          {name}
        </span>
        <span className={classes.about}>
          {kindOf(deletion, t)} · {deletion.kind !== 'convos' && <Place title={deletion.title} />}
          {t('com_bin_deleted', { 0: dateOf(deletedAt, i18n.language) })}
        </span>
      </div>
      <BusyButton
        variant="default"
        size="compact-md"
        className={classes.act}
        leftSection={<IconRestore size={16} stroke={1.6} aria-hidden />}
        aria-label={t('com_bin_restore_for', { 0: name })}
        isBusy={isRestoring}
        onClick={() => void bringBack()}
      >
        {t('com_bin_restore')}
      </BusyButton>
    </li>
  );
}

/** The conversation that messages are of. */
function Place({ title }: Pick<Deletion, 'title'>) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{title ?? t('com_ui_new_chat')}</bdi>
      {' · '}
    </>
  );
}

function kindOf({ kind, count }: Deletion, t: TFunction): string {
  switch (kind) {
    case 'convos':
      return t('com_bin_convos', { count });
    case 'message':
    case 'branch':
      return t('com_bin_messages', { count });
    default:
      return kind satisfies never;
  }
}

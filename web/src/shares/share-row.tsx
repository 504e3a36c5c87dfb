import type { Share } from '@parley/schema/convos/shares';
import { IconCheck, IconCopy, IconExternalLink, IconRefresh } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../content/use-copied.ts';
import { formatDateTime } from '../lib/format-date.ts';
import { trpc } from '../trpc.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { shareUrl } from './share-url.ts';
import classes from './shares.module.css';
import { useShowError } from '../ui/toast/use-show-error.ts';

interface ShareRowProps {
  share: Share;
  /** Where links of several conversations are listed. */
  isTitled?: boolean;
}

/** A link: copied, opened, brought up to date, ended. */
export function ShareRow({ share, isTitled = false }: ShareRowProps) {
  const { t, i18n } = useTranslation();
  const { copied, copy } = useCopied();
  const url = shareUrl(share.id);
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        {isTitled && <b dir="auto">{share.title ?? t('com_ui_new_chat')}</b>}
        <span className={classes.link} dir="ltr">
          {url}
        </span>
        <span className="hint">{shareFacts(share, t, i18n.language)}</span>
      </div>
      <div className={classes.actions}>
        <IconButton label={copied ? t('com_share_copied') : t('com_share_copy')} onClick={() => copy(url)}>
          {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
        </IconButton>
        <ShareActions share={share} />
      </div>
    </li>
  );
}

/** What can be done with a link that is there, beside copying it. */
export function ShareActions({ share: { id } }: { share: Share }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const { list } = trpc.useUtils().shares;
  const onError = showError;
  const onSettled = () => list.invalidate();
  const update = trpc.shares.update.useMutation({
    onSuccess: () => showToast({ message: t('com_share_updated'), severity: 'success' }),
    onError,
    onSettled,
  });
  const revoke = trpc.shares.revoke.useMutation({ onError, onSettled });
  return (
    <>
      <a
        className={classes.open}
        href={shareUrl(id)}
        target="_blank"
        rel="noreferrer"
        aria-label={t('com_share_open')}
        data-tooltip={t('com_share_open')}
      >
        <IconExternalLink aria-hidden />
      </a>
      <IconButton label={t('com_share_update')} onClick={() => update.mutate({ id })} disabled={update.isPending}>
        <IconRefresh aria-hidden />
      </IconButton>
      <TwoClickButton
        label={t('com_share_end')}
        confirm={t('com_share_end_confirm')}
        run={() => revoke.mutateAsync({ id })}
      />
    </>
  );
}

/** How new its copy is, when it ends and what it shows, in one line. */
export function shareFacts(share: Share, t: TFunction, language: string): string {
  const { expiresAt, updatedAt, isWhole, showsName, files } = share;
  const when = (iso: string) => formatDateTime(iso, language);
  const facts = [
    t('com_share_state_of', { 0: when(updatedAt) }),
    t('com_share_ends', { 0: expiresAt === null ? t('com_share_never_ends') : when(expiresAt) }),
    isWhole && t('com_share_all_branches'),
    showsName && t('com_share_with_name'),
    files > 0 && t('com_share_files', { 0: files }),
  ];
  return facts.filter(Boolean).join(' · ');
}

import type { Share } from '@parley/schema/convos/shares';
import { IconCheck, IconCopy, IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../content/use-copied.ts';
import { Button } from '../ui/button.tsx';
import { shareFacts, ShareActions } from './share-row.tsx';
import { shareUrl } from './share-url.ts';
import classes from './shares.module.css';

/** A link that has been made, to copy or to send on. */
export function ShareLink({ share }: { share: Share }) {
  const { t, i18n } = useTranslation();
  const { copied, copy } = useCopied();
  const url = shareUrl(share.id);
  return (
    <div className={classes.form}>
      <div className={classes.copy}>
        <input
          className={classes.field}
          value={url}
          readOnly
          dir="ltr"
          aria-label={t('com_share_link')}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button ref={takeLostFocus} variant="filled" data-autofocus onClick={() => copy(url)}>
          {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
          <span aria-live="polite">{copied ? t('com_share_copied') : t('com_share_copy')}</span>
        </Button>
        {hasShareSheet() && (
          <Button onClick={() => send({ url, title: share.title ?? '' })}>
            <IconSend aria-hidden />
            {t('com_share_send')}
          </Button>
        )}
      </div>
      <div className={classes.state}>
        <span className={classes.facts}>{shareFacts(share, t, i18n.language)}</span>
        <div className={classes.actions}>
          <ShareActions share={share} />
        </div>
      </div>
    </div>
  );
}

/** Takes the place of the button that has made the link. */
function takeLostFocus(button: HTMLElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

/** Phones and tablets have one that people know; on a desktop a link is pasted. */
function hasShareSheet(): boolean {
  return 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;
}

/** Who closes the sheet wants nothing sent. */
function send(data: ShareData): void {
  navigator.share(data).catch(() => undefined);
}

import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../content/use-copied.ts';
import { Button } from '../../ui/button.tsx';
import classes from '../admin.module.css';

/** A link that the server shows only once. */
export function LinkToCopy({ link, hint }: { link: string; hint: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <>
      <p className={classes.hint}>{hint}</p>
      <div className={classes.link}>
        <input
          value={link}
          readOnly
          dir="ltr"
          aria-label={t('com_people_link')}
          data-testid="link-to-copy"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button ref={takeLostFocus} variant="filled" onClick={() => copy(link)}>
          {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
          <span aria-live="polite">{copied ? t('com_share_copied') : t('com_share_copy')}</span>
        </Button>
      </div>
    </>
  );
}

/** Takes the place of the button that has made the link. */
function takeLostFocus(button: HTMLElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

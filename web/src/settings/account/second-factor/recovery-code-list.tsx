import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopied } from '../../../content/use-copied.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useStartup } from '../../../startup.ts';
import { Button } from '../../../ui/button.tsx';
import classes from './second-factor.module.css';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';

/** The codes for a lost app, which the server shows only once. */
export function RecoveryCodeList({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const title = useStartup()?.appTitle ?? '';
  const { copied, copy } = useCopied();
  const text = codes.join('\n');
  return (
    <div className={classes.form}>
      <p className="hint">{t('com_factor_codes_hint')}</p>
      <ul className={classes.codes} data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <ButtonRow>
        <Button ref={takeLostFocus} onClick={() => copy(text)}>
          {copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
          <span aria-live="polite">{copied ? t('com_share_copied') : t('com_content_copy')}</span>
        </Button>
        <Button onClick={() => saveFile(new Blob([`${text}\n`]), `${title} ${t('com_factor_codes_title')}.txt`)}>
          <IconDownload aria-hidden />
          {t('com_factor_codes_save')}
        </Button>
        <Button variant="filled" onClick={onClose}>
          {t('com_factor_codes_kept')}
        </Button>
      </ButtonRow>
    </div>
  );
}

/** Takes the place of the button that has led here. */
function takeLostFocus(button: HTMLElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

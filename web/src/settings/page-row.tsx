import { useSetAtom } from 'jotai';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { Setting } from './setting.tsx';

interface PageRowProps {
  href: string;
  label: string;
  hint: string;
}

/** Setting row: leads to what has a page of its own. */
export function PageRow({ href, label, hint }: PageRowProps) {
  const { t } = useTranslation();
  const id = useId();
  const linkId = useId();
  const setOpen = useSetAtom(openDialogAtom);
  return (
    <Setting name={label} nameId={id} hint={hint}>
      <Link
        id={linkId}
        className={buttonClasses({ size: 'sm' })}
        href={href}
        aria-labelledby={`${linkId} ${id}`}
        onClick={() => setOpen(null)}
      >
        {t('com_settings_open')}
      </Link>
    </Setting>
  );
}

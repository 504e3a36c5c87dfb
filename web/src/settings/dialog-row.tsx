// Tests of this room: tests/unit/web/settings, tests/e2e/app/settings.test.ts.
import { useSetAtom } from 'jotai';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { openDialogAtom, useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { Setting } from './setting.tsx';
import { useReturn } from './settings-place.ts';

interface OpeningRowProps {
  label: string;
  hint: string;
}

/** Setting row: opens what has a dialog of its own. */
export function DialogRow({ dialog, ...row }: OpeningRowProps & { dialog: 'files' | 'archive' | 'trash' }) {
  const { t } = useTranslation();
  const id = useId();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn(`dialog ${dialog}`);
  return (
    <Setting name={row.label} nameId={`${id}-name`} hint={row.hint}>
      <Button
        id={id}
        size="sm"
        aria-haspopup="dialog"
        aria-labelledby={`${id} ${id}-name`}
        data-autofocus={isReturn || undefined}
        onClick={() => showDialog({ name: dialog, back })}
      >
        {t('com_settings_open')}
      </Button>
    </Setting>
  );
}

/** Setting row: leads to what has a page of its own. */
export function PageRow({ href, ...row }: OpeningRowProps & { href: string }) {
  const { t } = useTranslation();
  const id = useId();
  const setOpen = useSetAtom(openDialogAtom);
  return (
    <Setting name={row.label} nameId={`${id}-name`} hint={row.hint}>
      <Link
        id={id}
        className={buttonClasses({ size: 'sm' })}
        href={href}
        aria-labelledby={`${id} ${id}-name`}
        onClick={() => setOpen(null)}
      >
        {t('com_settings_open')}
      </Link>
    </Setting>
  );
}

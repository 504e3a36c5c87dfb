import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useCopied } from '../../content/use-copied.ts';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { Block, ListRow } from '../admin-list.tsx';
import classes from '../admin.module.css';
import type { Check } from './check-server.ts';
import own from './overview.module.css';

/** What needs an administrator, each with what can be done about it; nothing when nothing does. */
export function Needs({ checks, command }: { checks: readonly Check[]; command: string }) {
  const { t } = useTranslation();
  const [isBackup, setBackup] = useState(false);
  const needs = checks.flatMap(({ title, problem }) => (problem ? [{ title, ...problem }] : []));
  if (needs.length === 0) return null;
  return (
    <Block title={t('com_overview_needs')}>
      <ul className={classes.list}>
        {needs.map(({ title, words, section, isBackup: isOfBackup }) => (
          <ListRow key={`${title} ${words}`} name={title} about={words}>
            {section && (
              <Link href={`/admin/${section.name}`} className={buttonClasses({ size: 'sm' })}>
                {t(section.title)}
              </Link>
            )}
            {isOfBackup && (
              <Button size="sm" onClick={() => setBackup(true)}>
                {t('com_overview_backup_how')}
              </Button>
            )}
          </ListRow>
        ))}
      </ul>
      {isBackup && <BackupDialog command={command} onClose={() => setBackup(false)} />}
    </Block>
  );
}

function BackupDialog({ command, onClose }: { command: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopied();
  return (
    <Modal title={t('com_overview_backup_how')} onClose={onClose}>
      <p className={classes.hint}>{t('com_overview_backup_run')}</p>
      <code className={own.command} dir="ltr">
        {command}
      </code>
      <ButtonRow end>
        <Button variant="filled" data-autofocus onClick={() => copy(command)}>
          <span aria-live="polite">{t(copied ? 'com_share_copied' : 'com_content_copy')}</span>
        </Button>
      </ButtonRow>
    </Modal>
  );
}

import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconApi, IconPlus } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from '../builder/builder.module.css';
import { editedActionAtom } from '../builder/builder-state.ts';
import { useActions } from './use-actions.ts';

/** The actions of an assistant; each opens in the editor. */
export function ActionList({ assistant }: { assistant: Assistant | null }) {
  const { t } = useTranslation();
  const edit = useSetAtom(editedActionAtom);
  const { data, isLoading, isError, refetch } = useActions(assistant?.assistantId);
  const [isWarned, setWarned] = useState(false);

  function add(): void {
    if (assistant) return edit({ assistantId: assistant.assistantId, actionId: null });
    setWarned(true);
    showToast({ message: t('com_assistants_unsaved'), severity: 'warning' });
  }

  return (
    <section className={classes.group} aria-label={t('com_assistants_actions')}>
      <h2 className={classes.label}>{t('com_assistants_actions')}</h2>
      {isLoading && <SkeletonRows count={1} />}
      {isError && (
        <Button size="sm" type="button" onClick={() => void refetch()}>
          {t('com_ui_retry')}
        </Button>
      )}
      {assistant && data && data.length > 0 && (
        <ul className={classes.rows}>
          {data.map(({ id, domain, title }) => (
            <li key={id}>
              <button
                type="button"
                className={classes.open}
                data-tooltip={title}
                onClick={() => edit({ assistantId: assistant.assistantId, actionId: id })}
              >
                <IconApi aria-hidden />
                <span className={classes.itemName}>{domain}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isWarned && !assistant && (
        <p className={classes.error} role="status">
          {t('com_assistants_unsaved')}
        </p>
      )}
      <Button size="sm" type="button" onClick={add}>
        <IconPlus aria-hidden />
        {t('com_assistants_add_action')}
      </Button>
    </section>
  );
}

import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconApi } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import classes from '../builder/builder.module.css';
import { useActions } from './use-actions.ts';

/** The APIs that an assistant calls; each opens in the editor. */
export function ActionRows({ assistant, onEdit }: { assistant: Assistant | null; onEdit: (actionId: string) => void }) {
  const { t } = useTranslation();
  const { data, isLoading, isError, refetch } = useActions(assistant?.assistantId);
  if (isLoading) return <SkeletonRows count={1} />;
  if (isError) {
    return (
      <Button size="sm" onClick={() => void refetch()}>
        {t('com_ui_retry')}
      </Button>
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <ul className={classes.rows} aria-label={t('com_assistants_apis')}>
      {data.map(({ id, domain, title }) => (
        <li key={id}>
          <button type="button" className={classes.open} data-tooltip={title} onClick={() => onEdit(id)}>
            <IconApi aria-hidden />
            <span className={classes.itemName}>{domain}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

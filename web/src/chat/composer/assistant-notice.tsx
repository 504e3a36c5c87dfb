import '../../locales/load/assistants.ts';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';

/** Says in the message box why nothing can be written to the assistants yet. */
export function AssistantNotice({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={classes.notice} role="status">
      {hasFailed ? t('com_assistants_load_failed') : t('com_assistants_missing')}
    </p>
  );
}

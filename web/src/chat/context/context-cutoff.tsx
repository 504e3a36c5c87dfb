import type { ContextRecord } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import classes from './context-cutoff.module.css';

/** Marks the first message in the context of the newest reply. */
export function ContextCutoff({ context }: { context: ContextRecord }) {
  const { t } = useTranslation();
  return <p className={classes.divider}>{context.summary ? t('com_context_seam_summary') : t('com_context_seam')}</p>;
}

import './lazy-words.ts';
import type { ContextRecord } from '@parley/schema/messages';
import { useTranslation } from 'react-i18next';
import classes from './seam.module.css';

/** Where the part of the conversation begins that the newest answer was written from. */
export function Seam({ context }: { context: ContextRecord }) {
  const { t } = useTranslation();
  return <p className={classes.seam}>{context.summary ? t('com_context_seam_summary') : t('com_context_seam')}</p>;
}

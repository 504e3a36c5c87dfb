import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { isDemo, type ModelTarget } from '../../catalog/model-target.ts';
import { session } from '../../session/current-session.ts';
import classes from './demo-note.module.css';

/** Says of the built-in demo that it is no model, and an administrator how to get one; nothing for any other endpoint. */
export function DemoNote({ modelTarget }: { modelTarget: Pick<ModelTarget, 'endpoint' | 'model'> }) {
  const { t } = useTranslation();
  const isOperator = useAtomValue(session.state).user?.role === 'ADMIN';
  if (!isDemo(modelTarget)) return null;
  return <p className={classes.note}>{isOperator ? t('com_landing_demo') : t('com_landing_demo_person')}</p>;
}

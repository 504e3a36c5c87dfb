import { useTranslation } from 'react-i18next';
import { isDemo, type ModelTarget } from '../../catalog/model-target.ts';
import classes from './landing.module.css';

/** Says of the built-in demo that it is no model, and how to get one; nothing for any other endpoint. */
export function DemoNote({ modelTarget }: { modelTarget: Pick<ModelTarget, 'endpoint' | 'model'> }) {
  const { t } = useTranslation();
  return isDemo(modelTarget) && <p className={classes.demo}>{t('com_landing_demo')}</p>;
}

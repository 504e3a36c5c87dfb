import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { isDemoEnoughAtom } from '../../catalog/demo-enough.ts';
import { isDemo, type ModelTarget } from '../../catalog/model-target.ts';
import { ADD_PROVIDER_PATH } from '../../catalog/provider-paths.ts';
import { session } from '../../session/current-session.ts';
import classes from './demo-note.module.css';

/**
 * Says of the built-in demo that it is no model, and an administrator how to get one, unless the card above the chat says
 * it; nothing for any other endpoint.
 */
export function DemoNote({ modelTarget }: { modelTarget: Pick<ModelTarget, 'endpoint' | 'model'> }) {
  const { t } = useTranslation();
  const isAdmin = useAtomValue(session.state).user?.role === 'ADMIN';
  const isCardAway = useAtomValue(isDemoEnoughAtom);
  if (!isDemo(modelTarget)) return null;
  if (!isAdmin) return <p className={classes.note}>{t('com_landing_demo_person')}</p>;
  return (
    <p className={classes.note}>
      {t('com_landing_demo_prepared')}{' '}
      {isCardAway && <Link href={ADD_PROVIDER_PATH}>{t('com_landing_add_provider')}</Link>}
    </p>
  );
}

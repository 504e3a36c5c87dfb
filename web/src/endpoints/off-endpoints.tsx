import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { endpointLabel } from '../catalog/choose-model.ts';
import { ADD_PROVIDER_PATH } from '../catalog/provider-paths.ts';
import { session } from '../session/current-session.ts';
import { trpc } from '../trpc.ts';
import { describeOff } from './describe-off.ts';
import classes from './endpoint-menu.module.css';

/**
 * For administrators: the endpoints this server does not offer, and why. Folded at first.
 */
export function OffEndpoints() {
  const { t } = useTranslation();
  const isOperator = useAtomValue(session.state).user?.role === 'ADMIN';
  const { data } = trpc.endpoints.readiness.useQuery(undefined, { staleTime: Infinity, enabled: isOperator });
  const off = data?.filter(({ state }) => state === 'off') ?? [];
  if (!isOperator || off.length === 0) return null;
  return (
    // The search field of the list keeps the focus for a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details className={classes.off} onMouseDown={(event) => event.preventDefault()}>
      <summary tabIndex={-1}>{t('com_endpoint_off')}</summary>
      <ul>
        {off.map(({ endpoint, why }) => (
          <li key={endpoint}>
            {t('com_endpoint_off_because', { 0: endpointLabel(endpoint), 1: describeOff(why ?? '', t) })}
          </li>
        ))}
      </ul>
      <Link href={ADD_PROVIDER_PATH}>{t('com_landing_add_provider')}</Link>
    </details>
  );
}

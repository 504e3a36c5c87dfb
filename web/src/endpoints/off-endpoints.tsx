import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { endpointLabel } from './choose.ts';
import classes from './endpoint-menu.module.css';

/** The built-in endpoints that cannot be asked, and why not: for whoever runs the server, in the words of its settings. */
export function OffEndpoints() {
  const { t } = useTranslation();
  const readiness = trpc.endpoints.readiness.useQuery(undefined, { staleTime: Infinity }).data ?? [];
  const off = readiness.filter(({ state }) => state === 'off');
  if (off.length === 0) return null;
  return (
    <details className={classes.off}>
      <summary>{t('com_endpoint_off')}</summary>
      <ul>
        {off.map(({ endpoint, why }) => (
          <li key={endpoint}>
            <b>{endpointLabel(endpoint)}</b>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}

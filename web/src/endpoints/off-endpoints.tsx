import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { endpointLabel } from '../catalog/choose-model.ts';
import classes from './endpoint-menu.module.css';

/** The endpoints this server does not offer, and why: for its operator, in terms of the configuration. */
export function OffEndpoints() {
  const { t } = useTranslation();
  const { data } = trpc.endpoints.readiness.useQuery(undefined, { staleTime: Infinity });
  const off = data?.filter(({ state }) => state === 'off') ?? [];
  if (off.length === 0) return null;
  return (
    <ul className={classes.off} aria-label={t('com_endpoint_off')}>
      {off.map(({ endpoint, why }) => (
        <li key={endpoint}>{t('com_endpoint_off_because', { 0: endpointLabel(endpoint), 1: why })}</li>
      ))}
    </ul>
  );
}

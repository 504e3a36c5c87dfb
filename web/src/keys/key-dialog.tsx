import '@mantine/core/styles/Input.css';
import { keyNameOf } from '@parley/schema/accounts/key-name';
import type { EndpointConfig } from '@parley/schema/catalog/startup';
import { useTranslation } from 'react-i18next';
import { endpointLabel, endpointTypeOf } from '../catalog/choose-model.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { trpc } from '../trpc.ts';
import classes from './key-dialog.module.css';
import { keyFormOf } from './key-forms.ts';
import { KeyFields } from './key-fields.tsx';
import { takesKey, type KeyState } from './key-state.ts';
import { useKeyState } from './use-key-state.ts';
import { formatDateTime } from '../lib/format-date.ts';

/** Sets and revokes the user's own key for an endpoint. */
export function KeyDialog({ endpoint, onClose }: { endpoint: string; onClose: () => void }) {
  const { t } = useTranslation();
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data;
  const state = useKeyState(endpoint);
  const config = endpoints?.[endpoint];
  return (
    <DialogFrame title={t('com_endpoint_config_key_for', { 0: endpointLabel(endpoint) })} onClose={onClose}>
      <div className={classes.form}>
        <StateLine state={state} />
        {config && takesKey(config) ? (
          <KeyFields
            endpoint={endpoint}
            form={formFor(endpoint, config)}
            isSaved={state.status === 'good' || state.status === 'expired'}
            onClose={onClose}
          />
        ) : (
          endpoints && (
            <p className={classes.note}>{describeReason({ type: 'not_found', what: 'endpoint' }, t, { endpoint })}</p>
          )
        )}
      </div>
    </DialogFrame>
  );
}

/** Plugins use another endpoint's key. */
function formFor(endpoint: string, config: EndpointConfig) {
  const type = endpointTypeOf(keyNameOf(endpoint, config.azure ?? false), config);
  return keyFormOf(type, config.userProvideURL === true);
}

function StateLine({ state }: { state: KeyState }) {
  const { t, i18n } = useTranslation();
  switch (state.status) {
    case 'good': {
      const until = state.until && formatDateTime(state.until, i18n.language);
      return <p className={classes.note}>{until ? t('com_key_good_until', { 0: until }) : t('com_key_good')}</p>;
    }
    case 'expired':
      return (
        <p className={classes.note} data-expired>
          {t('com_key_expired', { 0: formatDateTime(state.at, i18n.language) })}
        </p>
      );
    default:
      return null;
  }
}

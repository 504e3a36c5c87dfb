import { keyNameOf } from '@parley/schema/accounts/key-name';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel, listEndpoints } from '../../catalog/choose-model.ts';
import { Setting } from '../setting.tsx';
import { useReturn } from '../settings-place.ts';
import { trpc } from '../../trpc.ts';
import { relativeTime } from '../../chat/message-time/relative-time.ts';
import { takesKey, type KeyState } from '../../keys/key-state.ts';
import { SetKeyButton } from '../../keys/set-key-button.tsx';
import { useKeyState } from '../../keys/use-key-state.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** Setting rows: the user's own keys, each with its state. */
export function KeyRows() {
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data ?? {};
  return listEndpoints(endpoints)
    .filter((endpoint) => takesKey(endpoints[endpoint]))
    .map((endpoint) => <KeyRow key={endpoint} endpoint={endpoint} />);
}

function KeyRow({ endpoint }: { endpoint: string }) {
  const id = useId();
  const { back, isReturn } = useReturn(`key ${endpoint}`);
  const state = useKeyState(endpoint);
  return (
    <Setting
      name={endpointLabel(endpoint)}
      nameId={id}
      hint={[useHint(state), useLastUse(endpoint, state)].join(' ').trim()}
    >
      <SetKeyButton
        endpoint={endpoint}
        nameId={id}
        isSaved={state.status === 'good'}
        back={back}
        data-autofocus={isReturn || undefined}
      />
    </Setting>
  );
}

/** When a key was used last; empty where there is none, or nobody knows yet. */
function useLastUse(endpoint: string, { status }: KeyState): string {
  const { t, i18n } = useTranslation();
  const config = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data?.[endpoint];
  const { data: uses, dataUpdatedAt } = trpc.keys.uses.useQuery(undefined, {
    staleTime: 0,
    enabled: status === 'good',
  });
  if (!uses || status !== 'good') return '';
  const usedAt = uses[keyNameOf(endpoint, config?.azure ?? false)];
  return usedAt ? t('com_key_used', { 0: relativeTime(usedAt, i18n.language, dataUpdatedAt) }) : t('com_key_unused');
}

function useHint(state: KeyState): string {
  const { t, i18n } = useTranslation();
  switch (state.status) {
    case 'missing':
      return t('com_key_missing');
    case 'expired':
      return t('com_key_expired', { 0: formatDateTime(state.at, i18n.language) });
    case 'good':
      return state.until === null
        ? t('com_key_good')
        : t('com_key_good_until', { 0: formatDateTime(state.until, i18n.language) });
    case 'unneeded':
    case 'loading':
    case 'unknown':
      return '';
    default:
      return state satisfies never;
  }
}

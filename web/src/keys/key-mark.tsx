import './lazy-words.ts';
import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './keys.module.css';
import { timeOf } from './time-of.ts';
import { useKeyState } from './use-key-state.ts';

/** Beside an endpoint's name: whether the key that it takes is there. Nothing where it takes none. */
export function KeyMark({ endpoint }: { endpoint: string }) {
  const { t, i18n } = useTranslation();
  const state = useKeyState(endpoint);
  switch (state.status) {
    case 'unneeded':
    case 'loading':
    case 'unknown':
      return null;
    case 'missing':
      return <Mark label={t('com_key_missing')} isGood={false} />;
    case 'expired':
      return <Mark label={t('com_key_expired', { 0: timeOf(state.at, i18n.language) })} isGood={false} />;
    case 'good':
      return (
        <Mark
          label={
            state.until === null
              ? t('com_key_good')
              : t('com_key_good_until', { 0: timeOf(state.until, i18n.language) })
          }
          isGood
        />
      );
    default:
      return state satisfies never;
  }
}

function Mark({ label, isGood }: { label: string; isGood: boolean }) {
  const Icon = isGood ? IconKey : IconKeyOff;
  return (
    <span className={classes.mark} data-good={isGood || undefined} role="img" aria-label={label} title={label}>
      <Icon size={16} stroke={1.6} aria-hidden />
    </span>
  );
}

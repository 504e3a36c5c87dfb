import './lazy-words.ts';
import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../lib/startup.ts';
import { trpc } from '../trpc.ts';
import classes from './balance-line.module.css';
import { formatBalance } from './format-balance.ts';

/** What the person may still spend, as the first row of a menu; nothing on a site that checks no balance. */
export function BalanceLine() {
  const isChecked = useStartup()?.checkBalance === true;
  return isChecked ? <CheckedBalance /> : null;
}

function CheckedBalance() {
  const { t, i18n } = useTranslation();
  // A title or another device may have spent some since it was last shown.
  const { data, isError } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  const known = data === undefined ? undefined : formatBalance(data, i18n.language);
  return (
    <>
      <Menu.Label className={classes.line} data-testid="nav-balance">
        {t('com_nav_balance', { 0: known ?? (isError ? t('com_nav_balance_unknown') : '…') })}
      </Menu.Label>
      <Menu.Divider />
    </>
  );
}

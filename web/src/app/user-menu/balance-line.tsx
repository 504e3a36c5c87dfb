import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { trpc } from '../../trpc.ts';
import classes from './balance-line.module.css';
import { formatCredits } from '../../lib/format-number.ts';

/** The user's balance, as the first row of a menu; nothing on a site without balances. */
export function BalanceLine() {
  const isChecked = useStartup()?.checkBalance === true;
  return isChecked ? <CheckedBalance /> : null;
}

function CheckedBalance() {
  const { t, i18n } = useTranslation();
  // A title request or another device may have spent some since the last fetch.
  const { data, isError } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  const known = data === undefined ? undefined : formatCredits(Number(data) || 0, i18n.language);
  return (
    <>
      <Menu.Label className={classes.line} data-testid="nav-balance">
        {t('com_nav_balance', { 0: known ?? (isError ? t('com_nav_balance_unknown') : '…') })}
      </Menu.Label>
      <Menu.Divider />
    </>
  );
}

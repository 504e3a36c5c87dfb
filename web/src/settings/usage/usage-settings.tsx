import { endpointTypeOf, endpointLabel } from '../../catalog/choose-model.ts';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { formatCredits } from '../../lib/format-number.ts';
import { useStartup } from '../../startup.ts';
import { trpc } from '../../trpc.ts';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import { byMonth, type ModelUsage, type Month } from './usage-by-month.ts';
import classes from './usage.module.css';

/** Tokens and cost of the person's answers, by month and model; and the balance, where there are balances. */
export function UsageSettings() {
  const { t } = useTranslation();
  return (
    <>
      <BalanceRow />
      <Findable words={`${t('com_settings_usage')} ${t('com_usage_tokens')} ${t('com_usage_cost')}`}>
        <Months />
      </Findable>
    </>
  );
}

function BalanceRow() {
  const isChecked = useStartup()?.checkBalance === true;
  return isChecked ? <Balance /> : null;
}

function Balance() {
  const { t, i18n } = useTranslation();
  const { data } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <Setting name={t('com_usage_balance')} hint={t('com_usage_balance_hint')}>
      <span className={classes.balance}>{data === undefined ? '…' : formatCredits(Number(data), i18n.language)}</span>
    </Setting>
  );
}

function Months() {
  const { t } = useTranslation();
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data;
  const { data, error } = trpc.usage.byMonth.useQuery(undefined, { staleTime: 0 });
  if (error) return <p className={classes.note}>{describeError(error, t)}</p>;
  if (!data || !endpoints) return <p className={classes.note}>…</p>;
  const months = byMonth(data, (endpoint) => endpointTypeOf(endpoint, endpoints[endpoint]));
  if (months.length === 0) return <p className={classes.note}>{t('com_usage_none')}</p>;
  return (
    <>
      {months.map((month) => (
        <MonthTable key={month.month} month={month} />
      ))}
      <p className={classes.note}>{t('com_usage_note')}</p>
    </>
  );
}

function MonthTable({ month }: { month: Month }) {
  const { t, i18n } = useTranslation();
  const name = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month.month}-01T00:00:00Z`),
  );
  return (
    <table className={classes.table}>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">{t('com_usage_model')}</th>
          <th scope="col">{t('com_usage_answers')}</th>
          <th scope="col">{t('com_usage_tokens')}</th>
          <th scope="col">{t('com_usage_cost')}</th>
        </tr>
      </thead>
      <tbody>
        {month.models.map((row) => (
          <UsageRow key={`${row.endpoint} ${row.model}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function UsageRow({ row: { endpoint, model, answers, tokens, cost } }: { row: ModelUsage }) {
  const { i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const short = new Intl.NumberFormat(i18n.language, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <tr>
      <th scope="row">
        <bdi>{model ?? endpointLabel(endpoint)}</bdi>{' '}
        <span className={classes.endpoint}>{endpointLabel(endpoint)}</span>
      </th>
      <td>{number.format(answers)}</td>
      <td>{short.format(tokens)}</td>
      <td>{cost === null ? '–' : formatCredits(cost, i18n.language)}</td>
    </tr>
  );
}

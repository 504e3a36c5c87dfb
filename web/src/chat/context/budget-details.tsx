import type { Budget } from '@parley/schema/chat/budget';
import { useTranslation } from 'react-i18next';
import classes from './budget-details.module.css';
import { BudgetMeter } from './budget-meter.tsx';
import { FactList } from './fact-list.tsx';
import { budgetWarning } from './budget-warning.ts';

/** What fills the context window, in tokens. */
export function BudgetDetails({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const { window, reserve, instructions, question, history, included, summary, fits } = budget;
  const free = window - reserve - instructions - question - history - (summary?.tokens ?? 0);
  const earlier = Math.max(0, included - 1);
  const warning = budgetWarning(budget, t);
  const facts = [
    { name: t('com_context_question'), tokens: question },
    {
      name: earlier > 0 ? t('com_context_history', { count: earlier }) : t('com_context_history_none'),
      tokens: history,
    },
    ...(summary ? [{ name: t('com_context_summary'), tokens: summary.tokens }] : []),
    ...(instructions > 0 ? [{ name: t('com_context_instructions'), tokens: instructions }] : []),
    { name: t('com_context_reserve'), tokens: reserve },
    ...(fits ? [{ name: t('com_context_free'), tokens: free }] : []),
    { name: t('com_context_window'), tokens: window },
  ];
  return (
    // Takes the focus, so that a screen reader reads it.
    <div className={classes.details} tabIndex={-1} data-autofocus>
      <b className={classes.title}>{t('com_context_title')}</b>
      <BudgetMeter budget={budget} />
      <FactList
        facts={facts.map(({ name, tokens }) => ({
          name,
          value: tokens === null ? t('com_context_summary_due') : t('com_chat_tokens', { count: tokens }),
        }))}
      />
      {warning && <p className="hint">{warning}</p>}
    </div>
  );
}

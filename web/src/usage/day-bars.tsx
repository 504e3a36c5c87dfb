// Tests of this room: tests/unit/web/admin, tests/e2e/admin/usage.test.ts.
import type { DayUsage } from '@parley/schema/accounts/usage';
import { useTranslation } from 'react-i18next';
import { dayName, describeDay } from './usage-words.ts';
import classes from './usage.module.css';
import { cssVars } from '../lib/css-vars.ts';

/** A bar for each day of a month, as high as what it cost; by tokens where nothing has a price. */
export function DayBars({ month, days }: { month: string; days: readonly DayUsage[] }) {
  const { t, i18n } = useTranslation();
  const byDay = new Map(days.map((day) => [day.day, day]));
  const isPriced = days.some(({ credits }) => credits > 0);
  const heightOf = ({ credits, input, output }: DayUsage) => (isPriced ? credits : input + output);
  const most = Math.max(1, ...days.map(heightOf));
  const all = daysOf(month);
  const ends = [all[0], all.at(-1)].map((day = '') => dayName(day, i18n.language));
  return (
    <div>
      <ol className={classes.bars} aria-label={t('com_usage_by_day')}>
        {all.map((day) => {
          const used = byDay.get(day);
          const words = used && describeDay(used, t, i18n.language);
          const share = cssVars({ '--share': used ? Math.max(0.02, heightOf(used) / most) : 0 });
          return (
            <li key={day} className={classes.day} data-tooltip={words} aria-label={words} aria-hidden={!used}>
              <span className={classes.bar} style={share} />
            </li>
          );
        })}
      </ol>
      <p className={classes.ends} aria-hidden>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </div>
  );
}

function daysOf(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '@parley/server/router';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from '../admin.module.css';
import own from './audit.module.css';

export type AuditFilter = Omit<inferRouterInputs<AppRouter>['admin']['audit'], 'cursor' | 'limit'>;

/** What is typed: days as the browser gives them, such as 2026-11-27, or nothing. */
interface Search {
  text: string;
  kind: Kind;
  from: string;
  to: string;
}

/** What people call them, and how the names of their events begin. */
const KINDS = {
  all: ['com_audit_any'],
  providers: ['com_admin_providers', 'provider'],
  people: ['com_people', 'person', 'invitation'],
  registration: ['com_people_registration', 'registration'],
  groups: ['com_groups', 'group'],
  access: ['com_access_menu', 'access'],
  budgets: ['com_admin_budgets', 'budget'],
  retention: ['com_retention', 'retention'],
} satisfies Record<string, [label: ParseKeys, ...events: string[]]>;
type Kind = keyof typeof KINDS;

export const NO_SEARCH: Search = { text: '', kind: 'all', from: '', to: '' };

/** Both days count whole, by the clock of this browser. */
export function auditFilter({ text, kind, from, to }: Search): AuditFilter {
  const query = text.trim();
  const [, ...events] = KINDS[kind];
  const [since, until] = [midnight(from, 0), midnight(to, 1)];
  return {
    ...(query && { query }),
    ...(events.length > 0 && { events }),
    ...(since && { from: since }),
    ...(until && { until }),
  };
}

function midnight(day: string, later: number): string | null {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

export function AuditSearch({ search, onChange }: { search: Search; onChange: (search: Search) => void }) {
  const { t } = useTranslation();
  const set = (changed: Partial<Search>) => onChange({ ...search, ...changed });
  const kinds = Object.keys(KINDS).filter((kind): kind is Kind => kind in KINDS);
  return (
    <search className={own.search}>
      <SearchField
        className={classes.search}
        type="search"
        placeholder={t('com_audit_search')}
        value={search.text}
        maxLength={200}
        onChange={({ currentTarget }) => set({ text: currentTarget.value })}
      />
      <SelectField
        aria-label={t('com_audit_kind')}
        value={search.kind}
        options={kinds.map((value) => ({ value, label: t(KINDS[value][0]) }))}
        onChange={(kind) => set({ kind })}
      />
      <div className={own.days}>
        <TextField
          type="date"
          label={t('com_audit_from_day')}
          value={search.from}
          max={search.to || undefined}
          onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        />
        <TextField
          type="date"
          label={t('com_audit_to_day')}
          value={search.to}
          min={search.from || undefined}
          onChange={({ currentTarget }) => set({ to: currentTarget.value })}
        />
      </div>
    </search>
  );
}

import type { AppRouter } from '@parley/server/router';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { ParseKeys, TFunction } from 'i18next';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { typedKeys } from '@parley/schema/entries';
import { Link, useSearch } from 'wouter';
import { ExportButton } from '../admin-list.tsx';
import classes from '../admin.module.css';
import { DataTable } from '../data-table.tsx';
import own from './audit.module.css';
import { describeEvent } from './describe-event.ts';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { csvLine } from '../../lib/csv.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

/** As many as the server gives at once. */
const PAGE_SIZE = 50;
/** Of a file. */
const LARGE_PAGE = 500;

/** What administrators changed, the newest first; of one account where the address names one. */
export function AuditSection() {
  const { t } = useTranslation();
  const userId = new URLSearchParams(useSearch()).get('person') ?? undefined;
  const [search, setSearch] = useState(NO_SEARCH);
  const filter = { ...(userId && { userId }), ...auditFilter(useDeferredValue(search)) };
  const found = trpc.admin.audit.useInfiniteQuery(filter, {
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    refetchOnMount: 'always',
    placeholderData: (before) => before,
  });
  const events = found.data?.pages.flat();
  return (
    <div className={classes.block}>
      {userId && (
        <div className={classes.head}>
          <h2 className={classes.title}>{t('com_audit_of_person')}</h2>
          <Link href="/admin/audit">{t('com_audit_all')}</Link>
        </div>
      )}
      <AuditSearch search={search} onChange={setSearch} />
      {found.error && <p className={pageClasses.note}>{describeError(found.error, t)}</p>}
      {!found.error && !events && <SkeletonRows count={6} />}
      {events?.length === 0 && (
        <p className={pageClasses.note}>{t(search === NO_SEARCH ? 'com_admin_audit_none' : 'com_audit_not_found')}</p>
      )}
      {events && events.length > 0 && (
        <>
          <EventTable events={events} />
          <div className={classes.head}>
            {found.hasNextPage && <Button onClick={() => void found.fetchNextPage()}>{t('com_audit_older')}</Button>}
            <ExportEvents filter={filter} />
          </div>
        </>
      )}
    </div>
  );
}

function EventTable({ events }: { events: AuditEvent[] }) {
  const { t, i18n } = useTranslation();
  const { muted } = classes;
  return (
    <DataTable<AuditEvent>
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('com_audit_what'),
          className: own.what,
          cell: (one) => <div dir="auto">{describeEvent(one, t)}</div>,
        },
        {
          title: t('com_audit_when'),
          className: muted,
          isPlain: true,
          cell: ({ at }) => formatDateTime(at, i18n.language),
        },
        { title: t('com_audit_address'), className: muted, isPlain: true, cell: ({ ip }) => ip },
      ]}
    />
  );
}

type AuditEvent = inferRouterOutputs<AppRouter>['admin']['audit'][number];

/** More are not written into one file. */
const EXPORTED_MAX = 10_000;

/** The events that are found as a file, the newest first. */
function ExportEvents({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation();
  const { admin } = trpc.useUtils().client;

  async function read(): Promise<string[]> {
    const lines = [csvLine(['at', 'event', 'actorId', 'actor', 'userId', 'ip', 'details', 'sentence'])];
    let before: number | undefined;
    do {
      const page: AuditEvent[] = await admin.audit.query({ ...filter, cursor: before, limit: LARGE_PAGE });
      lines.push(...page.map((one) => lineOf(one, t)));
      before = page.at(-1)?.id;
    } while (before !== undefined && lines.length <= EXPORTED_MAX);
    return lines;
  }

  return <ExportButton fileName="audit.csv" read={read} />;
}

function lineOf(one: AuditEvent, t: TFunction): string {
  const { at, event, actorId, actor, userId, ip, details } = one;
  const sentence = describeEvent(one, t).replaceAll(/[\u2068\u2069]/g, '');
  return csvLine([at, event, actorId ?? '', actor ?? '', userId ?? '', ip ?? '', JSON.stringify(details), sentence]);
}

type AuditFilter = Omit<inferRouterInputs<AppRouter>['admin']['audit'], 'cursor' | 'limit'>;

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

const NO_SEARCH: Search = { text: '', kind: 'all', from: '', to: '' };

/** Both days count whole, by the clock of this browser. */
function auditFilter({ text, kind, from, to }: Search): AuditFilter {
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

function AuditSearch({ search, onChange }: { search: Search; onChange: (search: Search) => void }) {
  const { t } = useTranslation();
  const set = (changed: Partial<Search>) => onChange({ ...search, ...changed });
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
        options={typedKeys(KINDS).map((value) => ({ value, label: t(KINDS[value][0]) }))}
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

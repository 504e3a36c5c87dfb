import { RETENTION_DAYS_MAX, type RetentionRules } from '@parley/schema/convos/retention';
import type { AppRouter } from '@parley/server/router';
import type { inferRouterOutputs } from '@trpc/server';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { REREAD, SettingForm, useSettingForm } from '../admin-form.tsx';

/** How long chats, files without a use and the log of changes stay. */
export function RetentionSection() {
  const { t } = useTranslation();
  const { data, error } = trpc.admin.retention.get.useQuery(undefined, REREAD);
  if (!data) return error ? <p className={pageClasses.note}>{describeError(error, t)}</p> : <SkeletonRows count={3} />;
  return (
    <>
      <p className={pageClasses.note}>{t('com_retention_about')}</p>
      {/* What somebody else has saved takes the place of what is being changed here. */}
      <Fields key={data.version} setting={data} />
    </>
  );
}

type Procedures = inferRouterOutputs<AppRouter>['admin']['retention'];
/** Rules, and what they would delete now. */
type Asked = { chosen: RetentionRules } & Procedures['count'];

/** The parts with the words of their fields. */
const FIELDS = {
  chatsDays: { label: 'com_retention_chats', hint: 'com_retention_chats_hint', empty: 'com_retention_never' },
  filesDays: { label: 'com_retention_files', hint: 'com_retention_files_hint', empty: 'com_retention_hour' },
  auditDays: { label: 'com_retention_audit', hint: 'com_retention_audit_hint', empty: 'com_retention_never' },
} as const;
const PARTS = ['chatsDays', 'filesDays', 'auditDays'] as const;

function Fields({ setting }: { setting: Procedures['get'] }) {
  const { t } = useTranslation();
  const { client, admin, convos } = trpc.useUtils();
  const [asked, setAsked] = useState<Asked | null>(null);
  const form = useSettingForm({
    fixed: setting.fixed,
    initial: partsOf((part) => String(setting[part] ?? '')),
    check: (typed) => partsOf((part) => daysOf(typed[part]) === undefined && t('com_retention_invalid')),
    async save(typed) {
      const chosen = partsOf((part) => daysOf(typed[part]) ?? null);
      // What only deletes less asks nothing.
      if (!PARTS.some((part) => isShorter(part, chosen, setting))) return set(chosen);
      setAsked({ chosen, ...(await client.admin.retention.count.query(chosen)) });
    },
    changed: { invalidate: () => Promise.all([admin.retention.invalidate(), convos.retention.invalidate()]) },
  });

  async function set(chosen: RetentionRules): Promise<void> {
    await client.admin.retention.set.mutate({ ...chosen, version: setting.version });
    showToast({ message: t('com_retention_saved'), severity: 'success' });
  }

  return (
    <SettingForm form={form} parts={PARTS}>
      {PARTS.map((part) => (
        <TextField
          key={part}
          label={t(FIELDS[part].label)}
          {...form.part(part, t(FIELDS[part].hint))}
          {...form.typed(part)}
          inputMode="numeric"
          placeholder={t(FIELDS[part].empty)}
        />
      ))}
      {asked && (
        <Confirm
          asked={asked}
          isFilesShorter={isShorter('filesDays', asked.chosen, setting)}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            void form.act(() => set(asked.chosen));
          }}
        />
      )}
    </SettingForm>
  );
}

interface ConfirmProps {
  asked: Asked;
  /** Files that nothing uses go in any case. */
  isFilesShorter: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

function Confirm({ asked: { chosen, chats, people, files, events }, isFilesShorter, ...on }: ConfirmProps) {
  const { t, i18n } = useTranslation();
  const figure = (value: number) => formatNumber(value, i18n.language);
  const said = [
    ...(chosen.chatsDays === null ? [] : [t('com_retention_count_chats', { 0: figure(chats), 1: figure(people) })]),
    ...(isFilesShorter ? [t('com_retention_count_files', { 0: figure(files) })] : []),
    ...(chosen.auditDays === null ? [] : [t('com_retention_count_events', { 0: figure(events) })]),
    t('com_retention_when'),
  ];
  return <ConfirmDialog title={t('com_retention_confirm')} text={said.join(' ')} verb={t('com_ui_save')} {...on} />;
}

function partsOf<Value>(valueOf: (part: keyof RetentionRules) => Value): Record<keyof RetentionRules, Value> {
  return { chatsDays: valueOf('chatsDays'), filesDays: valueOf('filesDays'), auditDays: valueOf('auditDays') };
}

/** Null is for ever; of files, which then stay an hour, the shortest time. */
function isShorter(part: keyof RetentionRules, chosen: RetentionRules, before: RetentionRules): boolean {
  const [days, was] = [chosen, before].map((rules) => rules[part] ?? (part === 'filesDays' ? 0 : Infinity));
  return Number(days) < Number(was);
}

/** Null for never, undefined for what is no number of days. */
function daysOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= RETENTION_DAYS_MAX ? days : undefined;
}

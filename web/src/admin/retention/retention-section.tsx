import { RETENTION_DAYS_MAX, type RetentionRules, type RetentionSetting } from '@parley/schema/convos/retention';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { describeChangeError } from '../use-admin-action.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatNumber } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from '../people/people.module.css';

/** How long chats, files without a use and the log of changes stay. What the environment decides is shown, and cannot be changed. */
export function RetentionSection() {
  const { t } = useTranslation();
  const { data, error } = trpc.admin.retention.get.useQuery(undefined, { refetchOnMount: 'always' });
  if (!data) return error ? <p className={pageClasses.note}>{describeError(error, t)}</p> : <SkeletonRows count={3} />;
  return (
    <>
      <p className={pageClasses.note}>{t('com_retention_about')}</p>
      {/* What somebody else has saved takes the place of what is being changed here. */}
      <Fields key={data.version} setting={data} />
    </>
  );
}

function Fields({ setting }: { setting: RetentionSetting }) {
  const { t } = useTranslation();
  const { isChatsFixed, isFilesFixed, isAuditFixed } = setting;
  const { typed, set, isChanged, isBusy, wrong, submit, asked, cancel, save } = useRetentionForm(setting);
  const hint = (isFixed: boolean, name: string, said: string) =>
    isFixed ? t('com_retention_fixed', { 0: name }) : said;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        label={t('com_retention_chats')}
        description={hint(isChatsFixed, 'RETENTION_CHATS_DAYS', t('com_retention_chats_hint'))}
        inputMode="numeric"
        placeholder={t('com_retention_never')}
        value={typed.chats}
        error={wrong(typed.chats)}
        disabled={isChatsFixed}
        onChange={({ currentTarget }) => set({ chats: currentTarget.value })}
      />
      <TextField
        label={t('com_retention_files')}
        description={hint(isFilesFixed, 'RETENTION_FILES_DAYS', t('com_retention_files_hint'))}
        inputMode="numeric"
        placeholder={t('com_retention_hour')}
        value={typed.files}
        error={wrong(typed.files)}
        disabled={isFilesFixed}
        onChange={({ currentTarget }) => set({ files: currentTarget.value })}
      />
      <TextField
        label={t('com_retention_audit')}
        description={hint(isAuditFixed, 'RETENTION_AUDIT_DAYS', t('com_retention_audit_hint'))}
        inputMode="numeric"
        placeholder={t('com_retention_never')}
        value={typed.audit}
        error={wrong(typed.audit)}
        disabled={isAuditFixed}
        onChange={({ currentTarget }) => set({ audit: currentTarget.value })}
      />
      {!(isChatsFixed && isFilesFixed && isAuditFixed) && (
        <div>
          <BusyButton type="submit" isBusy={isBusy} disabled={!isChanged}>
            {t('com_ui_save')}
          </BusyButton>
        </div>
      )}
      {asked && <Confirm asked={asked} onCancel={cancel} onConfirm={() => void save(asked.chosen)} />}
    </form>
  );
}

/** What is typed, and what these rules would delete once that is asked. */
function useRetentionForm(setting: RetentionSetting) {
  const { t } = useTranslation();
  const kept = typedRules(setting);
  const [typed, setTyped] = useState(kept);
  const [isTried, setTried] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { client, admin, convos } = trpc.useUtils();
  const isChanged = FIELDS.some((field) => typed[field].trim() !== kept[field]);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    await work().catch((error: unknown) => showToast({ message: describeChangeError(error, t), severity: 'error' }));
    setBusy(false);
  }

  async function save(chosen: RetentionRules): Promise<void> {
    setAsked(null);
    await run(async () => {
      await client.admin.retention.set.mutate({ ...chosen, version: setting.version });
      showToast({ message: t('com_retention_saved'), severity: 'success' });
    });
    await Promise.all([admin.retention.invalidate(), admin.audit.invalidate(), convos.retention.invalidate()]);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    const [chatsDays, filesDays, auditDays] = FIELDS.map((field) => daysOf(typed[field]));
    if (isBusy || chatsDays === undefined || filesDays === undefined || auditDays === undefined) return;
    const chosen = { chatsDays, filesDays, auditDays };
    // What only deletes less asks nothing.
    if (isMilder(chosen, setting)) return void save(chosen);
    const isFilesShorter = isShorter(filesDays ?? 0, setting.filesDays ?? 0);
    void run(async () => setAsked({ chosen, isFilesShorter, ...(await client.admin.retention.count.query(chosen)) }));
  }

  return {
    typed,
    set: (changed: Partial<typeof typed>) => setTyped({ ...typed, ...changed }),
    isChanged,
    isBusy,
    wrong: (text: string) => isTried && daysOf(text) === undefined && t('com_retention_invalid'),
    submit,
    asked,
    cancel: () => setAsked(null),
    save,
  };
}

/** What these rules delete now. */
interface Asked {
  chosen: RetentionRules;
  /** Files that nothing uses go in any case. */
  isFilesShorter: boolean;
  chats: number;
  people: number;
  files: number;
  events: number;
}

interface ConfirmProps {
  asked: Asked;
  onCancel: () => void;
  onConfirm: () => void;
}

function Confirm({
  asked: { chosen, isFilesShorter, chats, people, files, events },
  onCancel,
  onConfirm,
}: ConfirmProps) {
  const { t, i18n } = useTranslation();
  const figure = (value: number) => formatNumber(value, i18n.language);
  const said = [
    ...(chosen.chatsDays === null ? [] : [t('com_retention_count_chats', { 0: figure(chats), 1: figure(people) })]),
    ...(isFilesShorter ? [t('com_retention_count_files', { 0: figure(files) })] : []),
    ...(chosen.auditDays === null ? [] : [t('com_retention_count_events', { 0: figure(events) })]),
    t('com_retention_when'),
  ];
  return (
    <ConfirmDialog
      title={t('com_retention_confirm')}
      text={said.join(' ')}
      verb={t('com_ui_save')}
      onCancel={onCancel}
      onConfirm={onConfirm}
    />
  );
}

/** Whether everything stays as long as before, or longer. Without a number files stay the shortest time. */
function isMilder(chosen: RetentionRules, before: RetentionRules): boolean {
  return !(
    isShorter(chosen.chatsDays, before.chatsDays) ||
    isShorter(chosen.filesDays ?? 0, before.filesDays ?? 0) ||
    isShorter(chosen.auditDays, before.auditDays)
  );
}

/** Null is for ever. */
function isShorter(days: number | null, before: number | null): boolean {
  return days !== null && (before === null || days < before);
}

const FIELDS = ['chats', 'files', 'audit'] as const;

function typedRules({ chatsDays, filesDays, auditDays }: RetentionRules) {
  return { chats: typedOf(chatsDays), files: typedOf(filesDays), audit: typedOf(auditDays) };
}

function typedOf(days: number | null): string {
  return days === null ? '' : String(days);
}

/** Null for never, undefined for what is no number of days. */
function daysOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= RETENTION_DAYS_MAX ? days : undefined;
}

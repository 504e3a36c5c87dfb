import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import type { ToolRow } from '@parley/schema/tools/tool-settings';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadSection, StateTag, useFollowedList } from '../admin-list.tsx';
import { describeProviderError } from '../providers/describe-provider.ts';
import providerClasses from '../providers/list/provider-table.module.css';
import { toolAbout, toolLabel, toolState } from './describe-tool.ts';
import { ServerDialog, ServiceDialog } from './tool-dialogs.tsx';
import classes from './tools.module.css';
import { useAdminAction } from '../use-admin-action.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import pageClasses from '../../layout/page/page.module.css';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

/** What models here may use: built-in tools, services with keys, tool servers. */
export function ToolsSection() {
  useFollowedList('tools');
  const query = trpc.admin.tools.list.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <ReadSection query={query} rows={8}>
      {(rows) => <Tools rows={rows} />}
    </ReadSection>
  );
}

type Opened = { row: ToolRow | null; isRemoved: boolean };

function Tools({ rows }: { rows: readonly ToolRow[] }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const ofKind = (kind: ToolRow['kind']) => rows.filter((row) => row.kind === kind);
  const list = (kind: ToolRow['kind']) => (labelledBy: string) => (
    <ToolList labelledBy={labelledBy} rows={ofKind(kind)} onOpen={(row) => setOpened({ row, isRemoved: false })} />
  );
  return (
    <>
      <p className={pageClasses.note}>{t('com_admin_tools_about')}</p>
      <Block title={t('com_admin_tools_builtin')}>{list('builtin')}</Block>
      <Block title={t('com_admin_tools_services')}>{list('service')}</Block>
      <Block
        title={t('com_admin_tools_servers')}
        note={t('com_admin_tools_servers_about')}
        action={
          <Button onClick={() => setOpened({ row: null, isRemoved: false })}>
            <IconPlus aria-hidden />
            {t('com_admin_tools_server_add')}
          </Button>
        }
      >
        {list('server')}
      </Block>
      {opened && <Dialog opened={opened} onChange={setOpened} />}
    </>
  );
}

interface BlockProps {
  title: string;
  note?: string;
  action?: ReactNode;
  /** Of the id of its title. */
  children: (titleId: string) => ReactNode;
}

function Block({ title, note, action, children }: BlockProps) {
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {action}
      </div>
      {note !== undefined && <p className={pageClasses.note}>{note}</p>}
      {children(titleId)}
    </section>
  );
}

interface DialogProps {
  opened: Opened;
  onChange: (opened: Opened | null) => void;
}

/** What is set up, or the question whether it shall be removed. */
function Dialog({ opened: { row, isRemoved }, onChange }: DialogProps) {
  const { t } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.tools.list, { describe: describeProviderError });
  const onClose = () => onChange(null);
  const onRemove = () => onChange({ row, isRemoved: true });
  if (!row || (row.kind === 'server' && !isRemoved))
    return <ServerDialog row={row} onRemove={onRemove} onClose={onClose} />;
  if (!isRemoved) return <ServiceDialog row={row} onRemove={onRemove} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('com_admin_providers_remove_title', { 0: toolLabel(row, t) })}
      text={t(removalOf(row))}
      verb={t('com_admin_providers_remove')}
      onCancel={onClose}
      onConfirm={() => {
        const { name, saved } = row;
        if (saved) void act(() => client.admin.tools.remove.mutate({ name, version: saved.version }));
        onClose();
      }}
    />
  );
}

function removalOf({ kind, name }: ToolRow) {
  if (kind === 'server') return 'com_admin_tools_remove_server';
  return name === 'brave' || name === 'searxng' ? 'com_admin_tools_remove_search' : 'com_admin_tools_remove_key';
}

interface ToolListProps {
  /** The id of its heading. */
  labelledBy: string;
  rows: readonly ToolRow[];
  onOpen: (row: ToolRow) => void;
}

/** Tools with their state, each with its switch. */
function ToolList({ labelledBy, rows, ...rest }: ToolListProps) {
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {rows.map((row) => (
        <Row key={row.name} row={row} {...rest} />
      ))}
    </ul>
  );
}

type RowProps = Omit<ToolListProps, 'labelledBy' | 'rows'> & { row: ToolRow };

function Row({ row, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act, isBusy } = useAdminAction(admin.tools.list, { describe: describeProviderError });
  const { name, kind, state, saved } = row;
  const label = toolLabel(row, t);
  const { tone, word, sentence } = toolState(row, i18n.language, t);
  return (
    <li className={classes.row}>
      <div className={providerClasses.names}>
        <bdi className={providerClasses.name}>{label}</bdi>
        <span className={providerClasses.address} dir={kind === 'server' ? 'ltr' : undefined}>
          {toolAbout(row, t)}
        </span>
      </div>
      <div className={classes.state}>
        {/* Of a built-in tool the switch says it. */}
        {(kind !== 'builtin' || state === 'needs_service') && <StateTag tone={tone}>{word}</StateTag>}
        {sentence !== null && <span className={providerClasses.sentence}>{sentence}</span>}
      </div>
      <div className={classes.actions}>
        <SetUp row={row} label={label} onOpen={onOpen} />
      </div>
      <Switch
        className={classes.switch}
        aria-label={label}
        checked={state !== 'off' && state !== 'operator_off'}
        disabled={state === 'operator_off'}
        onChange={({ currentTarget }) => {
          const change = { name, version: saved?.version ?? null, isOn: currentTarget.checked };
          if (!isBusy) void act(() => client.admin.tools.setOn.mutate(change));
        }}
      />
    </li>
  );
}

/** What is set in the environment can only be tried. */
function SetUp({ row, label, onOpen }: Pick<RowProps, 'row' | 'onOpen'> & { label: string }) {
  const { t } = useTranslation();
  const { kind, source, fields, canTry } = row;
  const isSetHere = fields.length > 0 || (kind === 'server' && source === 'saved');
  if (!isSetHere && !(source === 'environment' && canTry)) return null;
  return (
    <Button variant="subtle" onClick={() => onOpen(row)}>
      {t(isSetHere ? 'com_admin_tools_set_up' : 'com_admin_providers_try')}
      <VisuallyHidden> {label}</VisuallyHidden>
    </Button>
  );
}

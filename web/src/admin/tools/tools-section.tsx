import type { ToolRow } from '@parley/schema/tools/tool-settings';
import { IconPlus } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import pageClasses from '../../layout/page/page.module.css';
import { Button } from '../../ui/button.tsx';
import { trpc } from '../../trpc.ts';
import { ReadSection } from '../admin-list.tsx';
import { describeProviderError } from '../providers/describe-provider.ts';
import { useAdminAction } from '../use-admin-action.ts';
import { useFollowedList } from '../use-followed-list.ts';
import { toolLabel } from './describe-tool.ts';
import { ServerDialog, ServiceDialog } from './tool-dialogs.tsx';
import { ToolList } from './tool-list.tsx';
import classes from './tools.module.css';

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

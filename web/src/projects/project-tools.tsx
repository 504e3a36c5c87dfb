import type { Folder } from '@parley/schema/convos/folders';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { toggleTool } from '../chat/tools/arrange-tools.ts';
import { activeTools } from '../chat/tools/active-tools.ts';
import { ToolChooser } from '../chat/tools/tool-chooser.tsx';
import { useChangeFolders } from '../folders/use-folders.ts';
import page from '../layout/page/page.module.css';
import { trpc } from '../trpc.ts';
import classes from './projects.module.css';

/** The tools that new chats of a project begin with. `isFixed`: its person may only read them. */
export function ProjectTools({ folder: { id, tools }, isFixed }: { folder: Folder; isFixed: boolean }) {
  const { t } = useTranslation();
  const { update } = useChangeFolders();
  const [isOpen, setOpen] = useState(false);
  const offered = trpc.tools.list.useQuery(undefined, { enabled: isOpen || tools.length > 0 });
  const names = activeTools(tools, offered.data, t).flatMap(({ label }) => label ?? []);
  const chosen = names.length > 0 ? names.join(', ') : t('com_project_tools_none');
  if (isFixed) return <p className={page.note}>{chosen}</p>;
  return (
    <details className={classes.tools} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('com_project_tools_choose', { 0: chosen })}</summary>
      {isOpen && (
        <ToolChooser
          tools={offered}
          chosen={tools}
          onToggle={(key) => void update({ id, tools: toggleTool(tools, key) }).catch(() => {})}
        />
      )}
    </details>
  );
}

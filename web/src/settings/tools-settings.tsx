import { useTranslation } from 'react-i18next';
import { GrantList, useGrants } from '../chat/tools/allowed-tools.tsx';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { McpServers } from '../mcp/mcp-servers.tsx';
import { Button } from '../ui/button.tsx';
import { Findable } from './search/findable.tsx';
import { Setting } from './setting.tsx';
import { useReturn } from './settings-place.ts';

/** The plugin store, the MCP servers, and the tools that are called without asking. */
export function ToolsSettings() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn('plugins');
  const grants = useGrants();
  return (
    <>
      <Setting name={t('com_plugins_store')} hint={t('com_plugins_store_hint')}>
        <Button
          size="sm"
          aria-haspopup="dialog"
          aria-label={t('com_plugins_open_store')}
          data-autofocus={isReturn || undefined}
          onClick={() => showDialog({ name: 'plugins', back })}
        >
          {t('com_plugins_open')}
        </Button>
      </Setting>
      <Findable words={t('com_tools_source_mcp')}>
        <McpServers />
      </Findable>
      <Findable words={`${t('com_tools_grants')} ${t('com_tools_grants_hint')}`}>
        <Setting
          name={t('com_tools_grants')}
          hint={grants?.length === 0 ? t('com_tools_grants_none') : t('com_tools_grants_hint')}
        />
        {grants && <GrantList grants={grants} />}
      </Findable>
    </>
  );
}

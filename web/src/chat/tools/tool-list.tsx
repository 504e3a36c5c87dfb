import { IconTools } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { AddPopover } from '../add/add-popover.tsx';
import { toggleTool, type ToolRow } from './arrange-tools.ts';
import { ToolChooser } from './tool-chooser.tsx';
import classes from './tools-menu.module.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useAtom } from 'jotai';
import { navigate } from 'wouter/use-browser-location';
import { saveAccountSettings } from '../../account-settings.ts';
import { defaultToolsAtom } from '../../catalog/default-tools.ts';
import { PartChoice } from './part-choice.tsx';
import { useSetServerTools } from './use-set-server-tools.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** The open list of tools, above the message box. */
export function ToolsMenu({ onLeave, ...list }: ToolListProps & { onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <AddPopover title={t('com_tools')} onClose={list.onClose} onLeave={onLeave}>
      <ToolList {...list} />
    </AddPopover>
  );
}

interface ToolListProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Closes the menu around it and returns the focus. */
  onClose: () => void;
}

/** All tools with their switches, whether new chats begin with them, and the way to their page. */
export function ToolList({ chosen, onChange, onClose }: ToolListProps) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const tools = trpc.tools.list.useQuery(
    undefined,
    // Who signs in on another page comes back to what has changed by it.
    { refetchOnWindowFocus: 'always' },
  );

  /** The focus returns to the button of the menu when the dialog closes. */
  function setUp(key: string): void {
    onClose();
    showDialog({ name: 'plugins', asked: key });
  }

  function openPage(): void {
    onClose();
    navigate('/tools');
  }

  return (
    <>
      <ToolChooser
        isOfChat
        tools={tools}
        chosen={chosen}
        onToggle={(key) => onChange(toggleTool(chosen, key))}
        onSetUp={setUp}
        renderParts={(row) => <ServerParts server={row} />}
      />
      <div className={classes.foot}>
        <DefaultTools chosen={chosen} />
        <Button variant="subtle" size="sm" onClick={openPage}>
          <IconTools aria-hidden />
          {t('com_tools_all')}
        </Button>
      </div>
    </>
  );
}

/** Whether new chats begin with the tools that are on. Nothing where none are, in this chat and in new ones. */
function DefaultTools({ chosen }: { chosen: readonly string[] }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const [defaults, setDefaults] = useAtom(defaultToolsAtom);
  const areSame = defaults.length === chosen.length && chosen.every((key) => defaults.includes(key));
  if (chosen.length === 0 && areSame) return null;

  async function keep(keys: readonly string[]): Promise<void> {
    setDefaults(keys);
    try {
      await saveAccountSettings({ defaultTools: keys.length > 0 ? [...keys] : null });
    } catch (error) {
      setDefaults(defaults);
      showError(error);
    }
  }

  return (
    <Switch
      classNames={{ root: classes.defaults, body: classes.defaultsBody, label: classes.defaultsLabel }}
      label={chosen.length === 0 ? t('com_tools_default_none') : t('com_tools_default')}
      labelPosition="left"
      checked={areSame}
      onChange={({ currentTarget }) => void keep(currentTarget.checked ? chosen : [])}
    />
  );
}

/** The tools of a server, each with a checkbox: what is off is not used in any chat of this person. */
function ServerParts({ server: { key, label, parts = [], partsFound } }: { server: ToolRow }) {
  const set = useSetServerTools(key.replace(/^mcp:/, ''));
  return <PartChoice label={label} parts={parts} wanted={partsFound} onSet={set} />;
}

import { IconTools } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog, type Dialog } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { AllowedTools } from './allowed-tools.tsx';
import { toggleTool } from './arrange-tools.ts';
import { ServerParts } from './server-parts.tsx';
import { DefaultTools } from './default-tools.tsx';
import { ToolChooser } from './tool-chooser.tsx';
import classes from './tools-menu.module.css';

interface ToolListProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Closes the menu around it and returns the focus. */
  onClose: () => void;
}

/** All tools with their switches, whether new chats begin with them, what is allowed unasked, and the way to the store. */
export function ToolList({ chosen, onChange, onClose }: ToolListProps) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const tools = trpc.tools.list.useQuery(
    undefined,
    // Who signs in on another page comes back to what has changed by it.
    { refetchOnWindowFocus: 'always' },
  );

  /** The focus returns to the button of the menu when the dialog closes. */
  function open(dialog: Dialog): void {
    onClose();
    showDialog(dialog);
  }

  return (
    <>
      <ToolChooser
        isOfChat
        tools={tools}
        chosen={chosen}
        onToggle={(key) => onChange(toggleTool(chosen, key))}
        onSetUp={(key) => open({ name: 'plugins', asked: key })}
        renderParts={(row) => <ServerParts server={row} />}
      />
      <AllowedTools />
      <div className={classes.foot}>
        <DefaultTools chosen={chosen} />
        <Button type="button" variant="subtle" size="sm" onClick={() => open({ name: 'plugins' })}>
          <IconTools aria-hidden />
          {t('com_plugins_store')}
        </Button>
      </div>
    </>
  );
}

import { IconPuzzle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { AllowedTools } from './allowed-tools.tsx';
import { toggleTool } from './arrange-tools.ts';
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
  return (
    <>
      <ToolChooser tools={tools} chosen={chosen} onToggle={(key) => onChange(toggleTool(chosen, key))} />
      <AllowedTools />
      <div className={classes.foot}>
        <DefaultTools chosen={chosen} />
        <Button
          type="button"
          variant="subtle"
          size="sm"
          onClick={() => {
            // The focus returns to the button when the store closes.
            onClose();
            showDialog({ name: 'plugins' });
          }}
        >
          <IconPuzzle aria-hidden />
          {t('com_plugins_store')}
        </Button>
      </div>
    </>
  );
}

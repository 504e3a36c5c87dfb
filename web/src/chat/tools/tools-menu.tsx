import { useTranslation } from 'react-i18next';
import { AddPopover } from '../add/add-popover.tsx';
import { ToolList } from './tool-list.tsx';

interface ToolsMenuProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  onClose: () => void;
  onLeave: () => void;
}

/** The open list of tools, each with a switch. */
export function ToolsMenu({ chosen, onChange, onClose, onLeave }: ToolsMenuProps) {
  const { t } = useTranslation();
  return (
    <AddPopover title={t('com_tools')} onClose={onClose} onLeave={onLeave}>
      <ToolList chosen={chosen} onChange={onChange} onClose={onClose} />
    </AddPopover>
  );
}

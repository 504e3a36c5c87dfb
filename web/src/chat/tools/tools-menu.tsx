import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import { useId, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import popover from '../../ui/menu/anchored-popover.module.css';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { ToolList } from './tool-list.tsx';
import classes from './tools-menu.module.css';

interface ToolsMenuProps {
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Closes and returns the focus. */
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
}

/** The open list of tools, each with a switch, above its parent. */
export function ToolsMenu({ chosen, onChange, onClose, onLeave }: ToolsMenuProps) {
  const { t } = useTranslation();
  const titleId = useId();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    // The menu stands in the form of the message.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
  }

  return (
    <Popover
      opened
      onDismiss={onLeave}
      closeOnEscape={false}
      position="top-start"
      middlewares={{ shift: { padding: 10 }, flip: { padding: 10 } }}
      offset={6}
      width={416}
      trapFocus
      withRoles={false}
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={popover.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        tabIndex={-1}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
      >
        <h2 id={titleId} className={classes.title}>
          {t('com_tools')}
        </h2>
        <ToolList chosen={chosen} onChange={onChange} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}

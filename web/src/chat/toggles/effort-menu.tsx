import { Menu } from '@mantine/core';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { EffortRows } from './effort-rows.tsx';
import { ToggleButton, type ToggleButtonProps } from './toggle-button.tsx';
import type { ChatEffort } from './use-effort.ts';

/** The levels of effort above their button, mounted open. */
export function EffortMenu({ effort, buttonProps }: { effort: ChatEffort; buttonProps: ToggleButtonProps }) {
  const { button, menu, dropdown, isOpen } = useMenu();
  return (
    <Menu {...menu} position="top-start" width={200}>
      <Menu.Target>
        <ToggleButton {...buttonProps} ref={button} aria-expanded={isOpen} />
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <EffortRows effort={effort} />
      </Menu.Dropdown>
    </Menu>
  );
}

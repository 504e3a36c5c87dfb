import type { Convo } from '@parley/schema/convos/convos';
import { DotsMenu, type DotsMenuProps } from '../../ui/menu/dots-menu.tsx';
import { ConvoMenuRows } from './convo-menu-rows.tsx';

interface ConvoMenuProps extends Pick<DotsMenuProps, 'buttonProps'> {
  convo: Convo;
  onRename: () => void;
}

/** The menu of the open conversation, mounted open. */
export function ConvoMenu({ convo, buttonProps, onRename }: ConvoMenuProps) {
  return (
    <DotsMenu buttonProps={buttonProps} position="bottom-start" width={210}>
      <ConvoMenuRows convo={convo} onRename={onRename} />
    </DotsMenu>
  );
}

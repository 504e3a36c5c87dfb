import { useState, type ReactNode } from 'react';
import { DotsButton } from './dots-button.tsx';
import { DotsMenu } from './dots-menu.tsx';

const LOADED = () => undefined;

/** The button of the menu of a row; the menu is made when it is opened first. */
export function RowMenu({ label, width, children }: { label: string; width: number; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(false);
  if (!wasOpened)
    return <DotsButton buttonProps={{ label }} ref={null} preload={LOADED} onOpen={() => setOpened(true)} />;
  return (
    <DotsMenu buttonProps={{ label }} position="bottom-end" width={width}>
      {children}
    </DotsMenu>
  );
}

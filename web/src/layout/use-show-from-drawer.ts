import { flushSync } from 'react-dom';
import { useShowDialog, type Dialog } from '../dialogs/open-dialog.ts';
import { useSidebar } from './use-sidebar.ts';

/** A dialog closes the drawer that its button is in. First, so that it returns the focus to the button of the drawer. */
export function useShowFromDrawer(): (dialog: Dialog) => void {
  const show = useShowDialog();
  const { isDrawer, close } = useSidebar();
  return (dialog) => {
    if (isDrawer) flushSync(close);
    show(dialog);
  };
}

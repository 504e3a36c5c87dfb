// Where a person is in the settings, so that a dialog opened from a row returns to that row.
import { createContext, useContext } from 'react';
import type { Dialog } from '../dialogs/open-dialog.ts';

interface OpenTarget {
  tab: string;
  query: string;
  /** The row that a dialog has just returned to. */
  returnedTo: string | undefined;
}

export const SettingsTargetContext = createContext<OpenTarget>({ tab: '', query: '', returnedTo: undefined });

/** For a row that opens a dialog: what to return to, and whether the row's button is to have the focus. */
export function useReturn(row: string): { back: Dialog; isReturn: boolean } {
  const { tab, query, returnedTo } = useContext(SettingsTargetContext);
  return { back: { name: 'settings', at: { tab, query, row } }, isReturn: returnedTo === row };
}

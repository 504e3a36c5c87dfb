// Loads the side panel after the first screen, with a placeholder so that the chat does not move.
import { useState } from 'react';
import { deferred } from '../ui/lazy/deferred.tsx';
import { HIDDEN_BY_SETTING, readFlag, readHidden, readShare, widthOf } from './panel-width.ts';
import classes from './deferred-side-panel.module.css';

export const SidePanel = deferred(async () => (await import('./side-panel.tsx')).SidePanel, Placeholder);
export const SidePanelToggle = deferred(async () => (await import('./side-panel-toggle.tsx')).SidePanelToggle);

function Placeholder() {
  const [width] = useState(() => {
    const isAbsent = readHidden() || readFlag(HIDDEN_BY_SETTING, false);
    return isAbsent ? '0' : widthOf(readShare());
  });
  return <div className={classes.placeholder} style={{ inlineSize: width }} />;
}

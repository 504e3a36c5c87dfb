// The side panel comes after the first screen. Its place is kept, so that the chat does not move when it comes.
import { useState } from 'react';
import { lazyLater } from '../lib/lazy-later.tsx';
import { HIDDEN, HIDDEN_BY_SETTING, readFlag, readShare, widthOf } from './panel-share.ts';
import classes from './side-panel-place.module.css';

export const SidePanel = lazyLater(async () => (await import('./side-panel.tsx')).SidePanel, Place);
export const SidePanelToggle = lazyLater(async () => (await import('./side-panel-toggle.tsx')).SidePanelToggle);

function Place() {
  const [width] = useState(() => {
    const isAbsent = readFlag(HIDDEN, false) || readFlag(HIDDEN_BY_SETTING, false);
    return isAbsent ? '0' : widthOf(readShare());
  });
  return <div className={classes.place} style={{ inlineSize: width }} />;
}

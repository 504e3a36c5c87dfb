import { IconFolder } from '@tabler/icons-react';
import type { FolderColor } from '@parley/schema/convos/folder-rules';
import classes from './folder.module.css';

/** The icon of a folder in its colour. */
export function FolderIcon({ color }: { color: FolderColor | null }) {
  return <IconFolder className={classes.folderIcon} data-color={color ?? undefined} aria-hidden />;
}

// On its own, so that the browser need not load the checks of inputs.
import type { SharedFile } from './shares.ts';

/** The address of a shared file, for everybody who has the link. That of an image ends like a file. */
export function sharedFilePath(shareId: string, { n, mime, width }: SharedFile): string {
  if (width === undefined) return `/api/share/${shareId}/files/${n}`;
  return `/api/share/${shareId}/images/${n}.${mime.slice('image/'.length)}`;
}

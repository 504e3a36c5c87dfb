import { isImageType } from '@parley/schema/files/file-types';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { useState } from 'react';
import { FilePreview } from './file-preview.tsx';
import classes from './file-thumbnail.module.css';

/** A small image of a file: itself, or the sign of its kind. */
export function FileThumbnail({ file: { path, mime } }: { file: Pick<StoredFile, 'path' | 'mime'> }) {
  const [hasFailed, setFailed] = useState(false);
  const isImage = isImageType(mime) && !hasFailed;
  if (!isImage) return <FilePreview className={classes.thumbnail} path={path} mime={mime} />;
  return (
    <span className={classes.thumbnail}>
      <img src={path} alt="" width={32} height={32} loading="lazy" onError={() => setFailed(true)} />
    </span>
  );
}

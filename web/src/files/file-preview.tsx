import { useRef } from 'react';
import { FileIcon } from './file-icon.tsx';
import classes from './file-preview.module.css';
import { usePdfThumbnail } from './pdf-thumbnails.ts';

interface FilePreviewProps {
  /** Null while the file is not stored, and once it is gone. */
  path: string | null;
  mime: string;
  className?: string | undefined;
}

/** The first page of a PDF, once it is drawn; the sign of its kind for any other file. */
export function FilePreview({ path, mime, className }: FilePreviewProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const image = usePdfThumbnail(frame, mime === 'application/pdf' ? path : null);
  return (
    <span ref={frame} className={className} data-page={image !== null || undefined}>
      {image === null ? <FileIcon mime={mime} /> : <img className={classes.page} src={image} alt="" />}
    </span>
  );
}

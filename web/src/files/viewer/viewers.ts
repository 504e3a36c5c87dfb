// Where an opened file or picture is shown: one chunk.
export { FileColumn } from './file-column.tsx';
export { FileDialog } from './file-dialog.tsx';
export { Lightbox } from '../message/lightbox.tsx';

// Where an opened file is shown: one chunk, as both show the same.
export { FileColumn } from './file-column.tsx';
export { FileDialog } from './file-dialog.tsx';

// What brings conversations in and out: one chunk, opened now and then.
export { ExportDialog } from '../../export/export-dialog.tsx';
export { ImportDialog } from '../../import/import-dialog.tsx';

// Answers side by side: one file, which loads with the first question to several models.
export { ColumnChips } from './column-chips.tsx';
export { ColumnsView } from './columns-view.tsx';

import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const readCompare = () => import('../../compare/compare.ts');

/** Answers side by side load on their first use. */
export const columnsView = lazyScreen(async () => (await readCompare()).ColumnsView);
export const columnChips = lazyScreen(async () => (await readCompare()).ColumnChips);

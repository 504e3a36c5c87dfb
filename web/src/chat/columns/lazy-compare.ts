import { preloadMarkdown } from '../../content/lazy-markdown.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const readCompare = () => import('../../compare/compare.ts');

/** Answers side by side load on their first use, with the Markdown renderer, as a thread does. */
export const columnsView = lazyScreen(async () => {
  const [loaded] = await Promise.all([readCompare(), preloadMarkdown()]);
  return loaded.ColumnsView;
});
export const columnChips = lazyScreen(async () => (await readCompare()).ColumnChips);

import { useEffect } from 'react';
import { useStartup } from './startup.ts';

/** Shows `title` in the browser's tab, or the product's own name when there is none. */
export function useDocumentTitle(title?: string | null): void {
  const appTitle = useStartup()?.appTitle ?? 'Parley';
  useEffect(() => {
    document.title = title ? `${title} · ${appTitle}` : appTitle;
  }, [title, appTitle]);
}

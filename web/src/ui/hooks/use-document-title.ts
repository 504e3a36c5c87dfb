import { useEffect } from 'react';
import { useStartup } from '../../startup.ts';

/** Sets the document title to `title`, or to the product name without one. */
export function useDocumentTitle(title?: string | null): void {
  const appTitle = useStartup()?.appTitle ?? 'Parley';
  useEffect(() => {
    document.title = title ? `${title} · ${appTitle}` : appTitle;
  }, [title, appTitle]);
}

import { useOnChange } from '../feed/use-on-change.ts';
import { trpc } from '../trpc.ts';

/** What the pages of projects show beside the list of folders changes with it. */
export function useRereadProjects(): void {
  const { folders } = trpc.useUtils();
  useOnChange('folders', () => {
    for (const query of [folders.shared, folders.access, folders.files]) void query.invalidate();
  });
}

import type { StartupConfig } from '@parley/schema/startup';
import { trpc } from '../trpc.ts';

/** As it arrives: JSON leaves out what is undefined. */
export type Startup = Omit<StartupConfig, 'openidImageUrl'> & { openidImageUrl?: string };

/** What the site offers: its name, ways to sign in, links. Undefined until it is known. */
export function useStartup(): Startup | undefined {
  return trpc.endpoints.startup.useQuery(undefined, { initialData: inlined, staleTime: Infinity }).data;
}

/** The server may put the answer into the page, which saves the first screen a round trip. */
function inlined(): Startup | undefined {
  const text = document.getElementById('startup')?.textContent;
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Startup;
  } catch {
    return undefined;
  }
}

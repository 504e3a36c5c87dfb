import { useCatalog } from '../use-catalog.ts';

/** Whether this person can make assistants: this server offers them, and its operator has not closed the builder. */
export function useCanBuild(): boolean {
  const config = useCatalog()?.endpoints.assistants;
  return config !== undefined && config.disableBuilder !== true;
}

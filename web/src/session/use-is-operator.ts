import { useAtomValue } from 'jotai';
import { session } from './current-session.ts';

/** Whether the person runs this site. */
export function useIsOperator(): boolean {
  return useAtomValue(session.state).user?.role === 'ADMIN';
}

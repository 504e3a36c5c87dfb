import { useMediaQuery } from '@mantine/hooks';

/** Narrower windows have room for the model, a new chat and one menu. */
const NARROW = '(max-width: 640px)';

export function useNarrowHeader(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}

import { useMediaQuery } from '@mantine/hooks';

/** Narrower windows have the toggles in the menu of the message box; what is on is a chip there. */
const FOLDED = '(max-width: 500px)';

export function useFolded(): boolean {
  return useMediaQuery(FOLDED, false, { getInitialValueInEffect: false });
}

// @vitest-environment happy-dom
import { getDefaultStore } from 'jotai/vanilla';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showToast, toastsAtom } from '../../../../web/src/ui/toast/toast.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const shown = () => getDefaultStore().get(toastsAtom);

test('the same sentence does not stand twice, however often it is told', () => {
  const unsaved = { message: 'Save the assistant first.', severity: 'warning' } as const;
  showToast(unsaved);
  showToast({ message: 'It was saved.', severity: 'success' });
  showToast(unsaved);
  vi.runAllTimers();
  expect(shown().map(({ message }) => message)).toEqual(['It was saved.', 'Save the assistant first.']);
});

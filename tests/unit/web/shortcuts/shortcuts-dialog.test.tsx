// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { ShortcutsDialog } from '../../../../web/src/app/dialogs/shortcuts-dialog.tsx';
import { startEnglish } from '../start-english.ts';
import { writeSetting } from '../../../../web/src/stored-settings.ts';

beforeAll(startEnglish);
afterEach(cleanup);

/** The keys beside a name. */
function keysBeside(name: string): string | undefined {
  return screen.getByText(name).parentElement?.querySelector('kbd')?.textContent;
}

test('the list of shortcuts has what the message box does, and follows the setting of Enter', () => {
  render(
    <MantineProvider>
      <ShortcutsDialog onClose={() => undefined} />
    </MantineProvider>,
  );
  expect([keysBeside('Send the message'), keysBeside('Break the line')]).toEqual(['Enter', 'Shift Enter']);
  expect(keysBeside('Edit the last question, from an empty message box')).toBe('↑');
  act(() => writeSetting('enterToSend', false));
  expect([keysBeside('Send the message'), keysBeside('Break the line')]).toEqual(['Ctrl Enter', 'Enter']);
});

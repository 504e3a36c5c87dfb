// @vitest-environment happy-dom
// A field says how long its text is only where that matters: in the last tenth.
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { TextField } from '../../../../web/src/ui/fields/text-field.tsx';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

test.each([
  [0, null],
  [89, null],
  [90, '90 / 100'],
  [100, '100 / 100'],
])('after %i of 100 characters', (length, count) => {
  render(
    <MantineProvider>
      <TextField label="Name" maxLength={100} value={'x'.repeat(length)} onChange={() => {}} />
    </MantineProvider>,
  );
  expect(screen.queryByText(/\/ 100/)?.textContent ?? null).toBe(count);
});

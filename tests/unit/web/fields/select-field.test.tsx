// @vitest-environment happy-dom
// One field picks one of several: few in the browser's own list, many with a search, and a thumb has the browser's sheet.
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SelectField } from '../../../../web/src/ui/fields/select-field.tsx';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let picked: string[];

function show(count: number, value: string | null = 'model 1') {
  picked = [];
  const options = Array.from({ length: count }, (_, index) => `model ${index + 1}`);
  render(
    <MantineProvider>
      <SelectField
        label="Model"
        placeholder="Choose a model"
        value={value}
        options={options.map((option) => ({ value: option, label: `The ${option}` }))}
        onChange={(option) => picked.push(option)}
      />
    </MantineProvider>,
  );
  return screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' });
}

const shown = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

test('eight options are in the list of the browser', () => {
  const field = show(8);
  expect(field.tagName).toBe('SELECT');
  fireEvent.change(field, { target: { value: 'model 3' } });
  expect(picked).toEqual(['model 3']);
});

test('among more, one types a part of a name', () => {
  const field = show(12);
  expect(field.value).toBe('The model 1');
  field.focus();
  fireEvent.click(field);
  fireEvent.change(field, { target: { value: 'model 12' } });
  expect(shown()).toEqual(['The model 12']);
  fireEvent.click(screen.getByRole('option'));
  expect(picked).toEqual(['model 12']);
});

test('a touch device has the sheet of its browser for them, too', () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('coarse'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const field = show(12);
  expect(field.tagName).toBe('SELECT');
  expect(shown()).toHaveLength(12);
});

test('a value that is not offered any more stays in the list', () => {
  const field = show(2, 'model of old');
  expect(field.value).toBe('model of old');
  expect(shown()).toEqual(['model of old', 'The model 1', 'The model 2']);
});

test("the field says what to choose before anything is chosen, which can't be picked", () => {
  const field = show(2, null);
  expect(field.value).toBe('');
  expect(shown()[0]).toBe('Choose a model');
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'Choose a model' }).disabled).toBe(true);
});

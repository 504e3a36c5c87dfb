// @vitest-environment happy-dom
// The editor of actions: what may be saved, what is sent, and what is said of a document and of credentials.
import { MantineProvider } from '@mantine/core';
import {
  SPEC_BYTES_MAX,
  type ActionWithDocument,
  type ParsedSpec,
  type SpecStatus,
} from '@parley/schema/assistants/actions';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ActionAuthDialog } from '../../../../web/src/assistants/actions/action-auth-dialog.tsx';
import {
  canSaveAction,
  actionFaults,
  formOfAction,
  inputOfAction,
  operationsOn,
  withOperations,
  type ActionForm,
} from '../../../../web/src/assistants/actions/action-form.ts';
import { DocumentField } from '../../../../web/src/assistants/actions/document-field.tsx';
import { OperationList } from '../../../../web/src/assistants/actions/operation-list.tsx';
import { readArguments } from '../../../../web/src/assistants/actions/read-arguments.ts';
import { SpecReport } from '../../../../web/src/assistants/actions/spec-report.tsx';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const LIST = { name: 'listPets', method: 'get' as const, path: '/pets', summary: 'All pets' };
const EMPTY = formOfAction(null);
const KEYED: ActionForm = { ...EMPTY, rawSpec: '{}', authType: 'service_http' };

const saved: ActionWithDocument = {
  id: 'a1',
  assistantId: 'asst_1',
  domain: 'pets.example',
  title: 'Pets',
  rawSpec: '{}',
  privacyPolicyUrl: null,
  auth: { type: 'service_http', authorizationType: 'custom', customAuthHeader: 'X-Pet' },
  operations: [],
  chosen: null,
  hasSecrets: true,
  isSignedIn: false,
  createdAt: '',
  updatedAt: '',
};

function read(status: SpecStatus, more: Partial<ParsedSpec> = {}) {
  const spec = { status, domain: 'pets.example', title: 'Pets', operations: [LIST], warnings: [], ...more };
  return { status: 'read' as const, spec };
}

test.each([
  ['valid', 'OpenAPI spec is valid.'],
  ['unreadable', 'Error parsing OpenAPI spec.'],
  ['no_url', 'Could not find a valid URL in `servers`'],
  ['no_paths', 'No paths found in the OpenAPI spec.'],
] as const)('a document that is %s says so', (status, sentence) => {
  render(<SpecReport spec={read(status, { operations: [] })} />);
  expect(screen.getByRole('status').textContent).toBe(sentence);
});

test('a valid document shows its unknown references', () => {
  const warnings = ['Reference #/components/schemas/Pet not found', 'Something else'];
  render(<SpecReport spec={read('valid', { warnings })} />);
  screen.getByText('Reference #/components/schemas/Pet not found');
  screen.getByText('Something else');
});

test('it is saved only with a valid document, an operation and a domain', () => {
  expect(canSaveAction(EMPTY, { status: 'empty' }, null)).toBe(false);
  expect(canSaveAction(EMPTY, { status: 'reading' }, null)).toBe(false);
  expect(canSaveAction(EMPTY, read('no_paths'), null)).toBe(false);
  expect(canSaveAction(EMPTY, read('valid', { operations: [] }), null)).toBe(false);
  expect(canSaveAction(EMPTY, read('valid', { domain: null }), null)).toBe(false);
  expect(canSaveAction(EMPTY, read('valid'), null)).toBe(true);
  expect(canSaveAction(KEYED, read('valid'), null)).toBe(false);
  expect(canSaveAction({ ...EMPTY, isChosen: true }, read('valid'), null)).toBe(false);
  expect(canSaveAction({ ...EMPTY, isChosen: true, operations: ['gone'] }, read('valid'), null)).toBe(false);
});

test('a key is required unless one is saved, a custom header its name, an address http', () => {
  expect(actionFaults(KEYED, null)).toEqual(['key_missing']);
  expect(actionFaults(KEYED, saved)).toEqual([]);
  expect(actionFaults({ ...KEYED, apiKey: 'k', authorizationType: 'custom' }, null)).toEqual(['header_missing']);
  expect(actionFaults({ ...EMPTY, privacyPolicyUrl: 'javascript:alert(1)' }, null)).toEqual(['privacy_invalid']);
  expect(actionFaults({ ...EMPTY, privacyPolicyUrl: 'https://pets.example/privacy' }, null)).toEqual([]);
});

test('a request names a saved action, and sends a key only when a new one was typed', () => {
  expect(inputOfAction(formOfAction(saved), [LIST], 'asst_1', saved)).toEqual({
    assistantId: 'asst_1',
    actionId: 'a1',
    rawSpec: '{}',
    operations: null,
    privacyPolicyUrl: null,
    auth: { type: 'service_http', authorizationType: 'custom', customAuthHeader: 'X-Pet' },
  });
  const typed = { ...KEYED, apiKey: ' k ', authorizationType: 'bearer' as const, header: 'left over' };
  expect(inputOfAction(typed, [LIST], 'asst_1', null)).toMatchObject({
    auth: { type: 'service_http', authorizationType: 'bearer', customAuthHeader: null },
    apiKey: 'k',
  });
});

/** Buttons need the theme. */
const renderThemed = (element: ReactNode) => render(<MantineProvider>{element}</MantineProvider>);

/** `look0`, `look1` ... */
const listed = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `look${n}`, method: 'get' as const, path: `/${n}`, summary: '' }));

test('all operations are on at first, at most a hundred, and a choice stays by name while the document changes', () => {
  expect(operationsOn(EMPTY, listed(3))).toEqual(['look0', 'look1', 'look2']);
  expect(operationsOn(EMPTY, listed(340))).toHaveLength(100);
  const chosen = { ...EMPTY, ...withOperations(EMPTY, listed(3), ['look1'], false) };
  expect(operationsOn(chosen, listed(3))).toEqual(['look0', 'look2']);
  expect(operationsOn(chosen, listed(340))).toEqual(['look0', 'look2']);
  expect(operationsOn(chosen, listed(1))).toEqual(['look0']);
  expect(inputOfAction(chosen, listed(1), 'asst_1', null).operations).toEqual(['look0']);
  expect(formOfAction({ ...saved, chosen: ['look2'] })).toMatchObject({ isChosen: true, operations: ['look2'] });
});

test('all of a small document are no choice, so that new operations join them', () => {
  const none = { ...EMPTY, ...withOperations(EMPTY, listed(3), ['look0', 'look1', 'look2'], false) };
  expect(none).toMatchObject({ isChosen: true, operations: [] });
  expect(withOperations(none, listed(3), ['look0', 'look1', 'look2'], true)).toEqual({
    isChosen: false,
    operations: [],
  });
});

test('the list of operations is searched, and switches what it shows', () => {
  const onSwitch = vi.fn<(names: readonly string[], isOn: boolean) => void>();
  const all = [LIST, ...listed(39)];
  renderThemed(<OperationList operations={all} on={['listPets']} onSwitch={onSwitch} />);
  expect(screen.getByRole('status').textContent).toBe('1 of 40 on (at most 100)');
  const box = screen.getByRole('checkbox', { name: 'get /pets listPets', description: 'All pets', checked: true });
  fireEvent.click(box);
  expect(onSwitch).toHaveBeenLastCalledWith(['listPets'], false);
  fireEvent.change(screen.getByRole('textbox', { name: 'Search operations' }), { target: { value: 'GET look3' } });
  expect(screen.getAllByRole('checkbox')).toHaveLength(10);
  fireEvent.click(screen.getByRole('button', { name: 'All on' }));
  expect(onSwitch.mock.lastCall?.[0]).toContain('look38');
  expect(onSwitch.mock.lastCall?.[0]).toHaveLength(10);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'nothing' } });
  screen.getByText('No operation matches.');
});

test('a hundred operations are the most: no other box can be checked, and it says why', () => {
  const onSwitch = vi.fn<(names: readonly string[], isOn: boolean) => void>();
  const all = listed(101);
  renderThemed(<OperationList operations={all} on={all.slice(0, 100).map(({ name }) => name)} onSwitch={onSwitch} />);
  screen.getByText(/^100 operations are on, which is the maximum\./);
  const last = screen.getByRole('checkbox', { name: 'get /100 look100' });
  expect(last.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(last);
  expect(onSwitch).not.toHaveBeenCalled();
});

test('all of a row switches it, also what the operation does', () => {
  const onSwitch = vi.fn<(names: readonly string[], isOn: boolean) => void>();
  renderThemed(<OperationList operations={[LIST]} on={[]} onSwitch={onSwitch} />);
  fireEvent.click(screen.getByText('All pets'));
  expect(onSwitch).toHaveBeenCalledExactlyOnceWith(['listPets'], true);
});

test('a button that has switched all stays where the keyboard is, and does nothing more', () => {
  const onSwitch = vi.fn<(names: readonly string[], isOn: boolean) => void>();
  renderThemed(<OperationList operations={[LIST]} on={['listPets']} onSwitch={onSwitch} />);
  const all = screen.getByRole<HTMLButtonElement>('button', { name: 'All on' });
  all.focus();
  expect([all.disabled, all.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  fireEvent.click(all);
  expect(onSwitch).not.toHaveBeenCalled();
});

test('the arrow keys go through the list, which is one stop of the Tab key', () => {
  renderThemed(<OperationList operations={listed(3)} on={[]} onSwitch={() => {}} />);
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
  const stops = () => boxes.map(({ tabIndex }) => tabIndex);
  expect(stops()).toEqual([0, -1, -1]);
  boxes[0]?.focus();
  fireEvent.keyDown(boxes[0] as HTMLElement, { key: 'End' });
  expect(document.activeElement).toBe(boxes[2]);
  expect(stops()).toEqual([-1, -1, 0]);
  fireEvent.keyDown(boxes[2] as HTMLElement, { key: 'ArrowUp' });
  expect(document.activeElement).toBe(boxes[1]);
});

test('a long document is not shown, and can be removed', () => {
  const onChange = vi.fn<(value: string) => void>();
  renderThemed(<DocumentField value={'x'.repeat(9_000_000)} onChange={onChange} />);
  expect(screen.queryByRole('textbox')).toBeNull();
  screen.getByText(/^This document has .*MB and isn't shown here\.$/);
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(onChange).toHaveBeenCalledWith('');
});

test('the editor takes typing after a long document was removed', () => {
  function Field() {
    const [value, setValue] = useState('x'.repeat(300_000));
    return <DocumentField value={value} onChange={setValue} />;
  }
  renderThemed(<Field />);
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'OpenAPI document' }));
});

test('a file that is too large is not taken, and what was there stays', async () => {
  const onChange = vi.fn<(value: string) => void>();
  renderThemed(<DocumentField value="{}" onChange={onChange} />);
  const file = new File(['x'.repeat(SPEC_BYTES_MAX + 1)], 'large.json');
  fireEvent.change(screen.getByLabelText('Choose a file', { selector: 'input' }), { target: { files: [file] } });
  await screen.findByText("Documents over 10 MB can't be used. The previous one was kept.");
  expect(onChange).not.toHaveBeenCalled();
});

test('the dialog of credentials tells what is missing, and offers no OAuth', () => {
  const onSave = vi.fn<(part: Partial<ActionForm>) => void>();
  render(
    <MantineProvider>
      <ActionAuthDialog form={EMPTY} saved={null} onSave={onSave} onClose={() => {}} />
    </MantineProvider>,
  );
  expect(screen.getByLabelText<HTMLInputElement>('OAuth').disabled).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'API key' }));
  fireEvent.click(screen.getByRole('radio', { name: 'Custom' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  screen.getByText('Enter the API key.');
  screen.getByText('Enter the name of the header.');
  expect(onSave).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole('textbox', { name: 'Name of the header' }), { target: { value: 'X-Pet' } });
  fireEvent.change(screen.getByLabelText('API key', { selector: 'input[type=password]' }), {
    target: { value: 'secret' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onSave).toHaveBeenCalledWith({
    authType: 'service_http',
    authorizationType: 'custom',
    header: 'X-Pet',
    apiKey: 'secret',
  });
});

test('arguments are a JSON object', () => {
  expect(readArguments('')).toEqual({});
  expect(readArguments('{"id": 1}')).toEqual({ id: 1 });
  expect(readArguments('[1]')).toBeNull();
  expect(readArguments('{')).toBeNull();
});

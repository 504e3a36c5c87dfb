// @vitest-environment happy-dom
// The editor of actions: what may be saved, what is sent, and what is said of a document and of credentials.
import { MantineProvider } from '@mantine/core';
import type { Action, ParsedSpec, SpecStatus } from '@parley/schema/assistants/actions';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ActionAuthDialog } from '../../../../web/src/assistants/actions/action-auth-dialog.tsx';
import {
  canSaveAction,
  faultsOf,
  formOfAction,
  inputOfAction,
  type ActionForm,
} from '../../../../web/src/assistants/actions/action-form.ts';
import { readArguments } from '../../../../web/src/assistants/actions/read-arguments.ts';
import { SpecReport } from '../../../../web/src/assistants/actions/spec-report.tsx';
import { startI18n } from '../../../../web/src/i18n.ts';
import '../../../../web/src/locales/load/assistant-builder.ts';

beforeAll(startI18n);
afterEach(cleanup);

const LIST = { name: 'listPets', method: 'get' as const, path: '/pets' };
const EMPTY = formOfAction(null);
const KEYED: ActionForm = { ...EMPTY, rawSpec: '{}', authType: 'service_http' };

const saved: Action = {
  id: 'a1',
  assistantId: 'asst_1',
  domain: 'pets.example',
  title: 'Pets',
  rawSpec: '{}',
  privacyPolicyUrl: null,
  auth: { type: 'service_http', authorizationType: 'custom', customAuthHeader: 'X-Pet' },
  operations: [],
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
  expect(screen.queryByRole('table')).toBeNull();
});

test('a valid document shows its operations and its unknown references', () => {
  const warnings = ['Reference #/components/schemas/Pet not found', 'Something else'];
  render(<SpecReport spec={read('valid', { warnings })} />);
  expect(screen.getByRole('row', { name: 'listPets get /pets' })).toBeTruthy();
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
});

test('a key is required unless one is saved, a custom header its name, an address http', () => {
  expect(faultsOf(KEYED, null)).toEqual(['key_missing']);
  expect(faultsOf(KEYED, saved)).toEqual([]);
  expect(faultsOf({ ...KEYED, apiKey: 'k', authorizationType: 'custom' }, null)).toEqual(['header_missing']);
  expect(faultsOf({ ...EMPTY, privacyPolicyUrl: 'javascript:alert(1)' }, null)).toEqual(['privacy_invalid']);
  expect(faultsOf({ ...EMPTY, privacyPolicyUrl: 'https://pets.example/privacy' }, null)).toEqual([]);
});

test('what is sent names a saved action, and a key only where a new one was typed', () => {
  expect(inputOfAction(formOfAction(saved), 'asst_1', saved)).toEqual({
    assistantId: 'asst_1',
    actionId: 'a1',
    rawSpec: '{}',
    privacyPolicyUrl: null,
    auth: { type: 'service_http', authorizationType: 'custom', customAuthHeader: 'X-Pet' },
  });
  const typed = { ...KEYED, apiKey: ' k ', authorizationType: 'bearer' as const, header: 'left over' };
  expect(inputOfAction(typed, 'asst_1', null)).toMatchObject({
    auth: { type: 'service_http', authorizationType: 'bearer', customAuthHeader: null },
    apiKey: 'k',
  });
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
  screen.getByText('The API key is required.');
  screen.getByText('The name of the header is required.');
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

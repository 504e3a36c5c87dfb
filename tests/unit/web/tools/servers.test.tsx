// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import type { AppRouter } from '@parley/server/router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { serverErrors } from '../../../../web/src/tools/form-rules.ts';
import { mcpServerInput, mcpFormValues } from '../../../../web/src/tools/form-values.ts';
import { McpServers } from '../../../../web/src/tools/mcp-servers.tsx';
import { describeState } from '../../../../web/src/tools/server-state.ts';
import { onUninstall } from '../../../../web/src/plugins/uninstall-events.ts';
import { trpc } from '../../../../web/src/trpc.ts';

beforeAll(startEnglish);
afterEach(cleanup);

function server(rest: Partial<McpServer> = {}): McpServer {
  return {
    id: 'one',
    name: 'Notes',
    url: 'https://notes.example.com/mcp',
    auth: 'none',
    isShared: false,
    isEnabled: true,
    isSignedIn: false,
    tools: [
      { name: 'read', description: 'Reads a note.', isOn: true },
      { name: 'write', description: 'Writes a note.', isOn: true },
    ],
    reason: null,
    ...rest,
  };
}

type Answers = Record<string, (input: unknown) => unknown>;

/** The list of servers, by a scripted server; a path without an answer is not answered, and an Error fails it. */
function open(answers: Answers) {
  const asked: [path: string, input: unknown][] = [];
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        asked.push([op.path, op.input]);
        const answer = answers[op.path]?.(op.input);
        if (answer === undefined) return;
        if (answer instanceof Error) return observer.error(TRPCClientError.from(answer));
        observer.next({ result: { type: 'data', data: answer } });
        observer.complete();
      });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <trpc.Provider client={trpc.createClient({ links: [link] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <McpServers query="" />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  return { asked, container, countOf: (path: string) => asked.filter(([one]) => one === path).length };
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const listing = (servers: readonly McpServer[], mayAdd = true): Answers => ({
  'mcp.list': () => servers,
  'mcp.canAdd': () => mayAdd,
});

describe('the form of a server', () => {
  const values = { ...mcpFormValues(null), name: 'Notes', url: 'https://notes.example.com/mcp' };
  const header = { ...values, auth: 'header', headerName: 'X-Key', headerValue: 'a key' };

  test.each([
    ['all is well', values, {}],
    ['no name', { ...values, name: '  ' }, { name: 'com_mcp_name_wrong' }],
    ['a long name', { ...values, name: 'a'.repeat(65) }, { name: 'com_mcp_name_wrong' }],
    ['no address', { ...values, url: '' }, { url: 'com_mcp_url_wrong' }],
    ['half an address', { ...values, url: 'notes.example.com' }, { url: 'com_mcp_url_wrong' }],
    ['another protocol', { ...values, url: 'file:///etc/passwd' }, { url: 'com_mcp_url_wrong' }],
    ['a header', header, {}],
    [
      'a header that is not ours to set',
      { ...header, headerName: 'Host' },
      { headerName: 'com_mcp_header_name_wrong' },
    ],
    ['a header without a value', { ...header, headerValue: '' }, { headerValue: 'com_mcp_header_value_wrong' }],
    ['a header with accents', { ...header, headerValue: 'é' }, { headerValue: 'com_mcp_header_value_wrong' }],
    ['a wrong header that is not sent', { ...header, auth: 'oauth', headerValue: '' }, {}],
  ])('with %s', (_case, filled, errors) => {
    expect(serverErrors(filled, null)).toEqual(errors);
  });

  test('asks for a saved header again only where the host changes', () => {
    const edited = server({ auth: 'header' });
    const kept = mcpFormValues(edited);
    expect(serverErrors(kept, edited)).toEqual({});
    expect(serverErrors({ ...kept, url: 'https://notes.example.com/other' }, edited)).toEqual({});
    const moved = { ...kept, url: 'https://elsewhere.example.com/mcp' };
    expect(serverErrors(moved, edited)).toEqual({ headerValue: 'com_mcp_header_value_wrong' });
    expect(serverErrors({ ...kept, auth: 'header' }, server())).toHaveProperty('headerValue');
  });

  test('sends a header only where it is used', () => {
    expect(mcpServerInput(header).header).toEqual({ name: 'X-Key', value: 'a key' });
    expect(mcpServerInput({ ...header, auth: 'oauth' })).toEqual({ name: 'Notes', url: values.url, auth: 'oauth' });
    expect(mcpServerInput({ ...header, headerValue: '' })).not.toHaveProperty('header');
  });

  test('says what is wrong, sends nothing until it is right, and keeps what was typed when the server refuses', async () => {
    const refusal = new Error('The server cannot be reached');
    const { asked } = open({ ...listing([]), 'mcp.add': () => refusal });
    await press('Add a server');
    const form = await screen.findByRole('form', { name: 'Add a server' });
    fireEvent.submit(form);
    await within(form).findByText('Enter a name of at most 64 characters.');
    expect(within(form).queryByLabelText('Name of the header')).toBeNull();
    fireEvent.change(within(form).getByLabelText('Name'), { target: { value: 'Notes ' } });
    fireEvent.change(within(form).getByLabelText('Address'), { target: { value: values.url } });
    await waitFor(() => expect(within(form).queryByText('Enter a name of at most 64 characters.')).toBeNull());
    expect(asked.filter(([path]) => path === 'mcp.add')).toEqual([]);
    fireEvent.submit(form);
    await within(form).findByRole('alert');
    expect(asked.at(-1)).toEqual(['mcp.add', { name: 'Notes', url: values.url, auth: 'none' }]);
    expect(within(form).getByLabelText<HTMLInputElement>('Address').value).toBe(values.url);
  });
});

describe('the state of a server', () => {
  const none = { tools: [] };
  test.each<[string, Partial<McpServer>]>([
    ['Connected, 2 tools', {}],
    ['Not connected yet', none],
    ['Switched off', { isEnabled: false, reason: { type: 'provider_unavailable', status: null } }],
    ['Needs you to sign in', { ...none, auth: 'oauth' }],
    ['Needs you to sign in', { auth: 'oauth', isSignedIn: true, reason: { type: 'unauthorized' } }],
    ['Connected, 2 tools', { auth: 'oauth', isSignedIn: true }],
    ['Does not accept the header', { auth: 'header', reason: { type: 'unauthorized' } }],
    ['Needs a header or a sign-in', { ...none, reason: { type: 'unauthorized' } }],
    ['Cannot be reached', { ...none, reason: { type: 'provider_unavailable', status: null } }],
    ['Its program is not running', { ...none, url: null, reason: { type: 'provider_unavailable', status: null } }],
    ['It is having problems right now. Try again later.', { reason: { type: 'provider_unavailable', status: 502 } }],
    ['Cannot be reached: no answer within 10 seconds', { reason: { type: 'provider_stalled', seconds: 10 } }],
    ['Cannot be reached: its address is not allowed here', { reason: { type: 'forbidden_base_url', host: 'x' } }],
    ['Cannot be used at the moment', { reason: { type: 'unknown', text: 'words of others' } }],
  ])('%s', (text, rest) => {
    expect(describeState(server(rest), i18n.t).text).toBe(text);
  });
});

describe('the servers', () => {
  test('that cannot be listed can be asked for again', async () => {
    const failure = new Error('No answer');
    const answers: Answers = { ...listing([]), 'mcp.list': () => failure };
    open(answers);
    await screen.findByText('The servers could not be loaded.');
    answers['mcp.list'] = () => [server()];
    await press('Try again');
    await screen.findByText('Connected, 2 tools');
  });

  test('show that they load meanwhile', async () => {
    open({});
    await screen.findByRole('status', { name: 'The servers are loading' });
  });

  test('take no place where there are none and none may be added', async () => {
    const { container, countOf } = open(listing([], false));
    await waitFor(() => expect(countOf('mcp.canAdd')).toBe(1));
    await waitFor(() => expect(container.querySelector('section')).toBeNull());
  });

  test('are added only where that is allowed', async () => {
    open(listing([server({ isShared: true })], false));
    await screen.findByText('Notes');
    expect(screen.queryByRole('button', { name: 'Add a server' })).toBeNull();
  });

  test('of the operator have checkboxes for their tools, and are neither changed nor deleted', async () => {
    const { asked } = open({ ...listing([server({ isShared: true })]), 'mcp.setTools': () => server() });
    await press(/^Notes/);
    for (const name of ['Edit', 'Delete', 'Switch off']) expect(screen.queryByRole('button', { name })).toBeNull();
    const tool = screen.getByRole<HTMLInputElement>('checkbox', { name: 'write' });
    fireEvent.click(tool);
    await waitFor(() => expect(tool.checked).toBe(false));
    expect(asked.at(-1)).toEqual(['mcp.setTools', { id: 'one', tools: ['write'], isOn: false }]);
  });

  test('are asked for their tools when they are unfolded for the first time', async () => {
    const { countOf } = open({ ...listing([server({ tools: [] })]), 'mcp.refresh': () => server() });
    await press(/^Notes/);
    await screen.findByText('Connected, 2 tools');
    await press(/^Notes/);
    await press(/^Notes/);
    expect(countOf('mcp.refresh')).toBe(1);
  });

  test('are deleted at the second click, and leave the chats', async () => {
    const left: string[] = [];
    const stop = onUninstall((key) => left.push(key));
    const { asked } = open({ ...listing([server()]), 'mcp.remove': () => null });
    await press(/^Notes/);
    await press('Delete');
    expect(asked.filter(([path]) => path === 'mcp.remove')).toEqual([]);
    await press('Confirm');
    await screen.findByText('You have not added a server yet.');
    expect(left).toEqual(['mcp:one']);
    stop();
  });

  test('are asked for their tools when the person comes back from signing in, and not before', async () => {
    const out = server({ auth: 'oauth', tools: [] });
    const back = { ...out, isSignedIn: true };
    const answers: Answers = {
      ...listing([out]),
      'mcp.signIn': () => ({ url: 'about:blank' }),
      'mcp.refresh': () => ({ ...server(), ...back, tools: server().tools }),
    };
    const tab = window.open('about:blank');
    // The test's browser lets no page forget its opener.
    if (tab) Object.defineProperty(tab, 'opener', { value: window, writable: true });
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab);
    const { countOf } = open(answers);
    await press('Sign in to Notes');
    await screen.findByText('Sign in on the page that opened, then come back here.');
    const asked = countOf('mcp.list');
    fireEvent(window, new Event('focus'));
    await waitFor(() => expect(countOf('mcp.list')).toBeGreaterThan(asked));
    expect(countOf('mcp.refresh')).toBe(0);
    answers['mcp.list'] = () => [back];
    fireEvent(window, new Event('focus'));
    await screen.findByText('Connected, 2 tools');
    expect(screen.queryByRole('button', { name: 'Sign in to Notes' })).toBeNull();
    expect(tab?.opener).toBeNull();
    opened.mockRestore();
  });
});

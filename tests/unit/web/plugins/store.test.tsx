// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { Plugin, PluginField } from '@parley/schema/tools/plugins';
import { PLUGINS } from '@parley/server/plugins/manifest';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseLanguage, i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { describeHindrance } from '../../../../web/src/plugins/describe-hindrance.ts';
import { fieldHint, fieldLabel } from '../../../../web/src/plugins/field-labels.ts';
import { findPlugins, storePageSize } from '../../../../web/src/plugins/arrange-plugins.ts';
import { PluginForm } from '../../../../web/src/plugins/plugin-form.tsx';
import { PluginGrid } from '../../../../web/src/plugins/plugin-grid.tsx';
import { needsForm, type Values } from '../../../../web/src/plugins/plugin-values.ts';

beforeAll(startEnglish);
afterEach(cleanup);

function field(name: string, rest: Partial<PluginField> = {}): PluginField {
  return {
    field: name,
    label: `${name} key`,
    description: `Where ${name} is`,
    isAddress: false,
    isOptional: false,
    isSaved: false,
    ...rest,
  };
}

function plugin(name: string, rest: Partial<Plugin> = {}): Plugin {
  return {
    key: name.toLowerCase(),
    name,
    description: `What ${name} does`,
    icon: 'data:image/svg+xml,',
    fields: [],
    isAuthenticated: false,
    isInstalled: false,
    isForAssistants: false,
    isOpenApi: false,
    unavailable: null,
    ...rest,
  };
}

const many = Array.from({ length: 11 }, (_, index) => plugin(`Plugin ${index + 1}`));

function showStore(plugins: readonly Plugin[], width = 1280) {
  window.innerWidth = width;
  const acts: string[] = [];
  function Store() {
    const [query, setQuery] = useState('');
    const [page, setPage] = useState(0);
    return (
      <PluginGrid
        plugins={plugins}
        query={query}
        page={page}
        busy={new Set()}
        onQuery={(text) => {
          setQuery(text);
          setPage(0);
        }}
        onPage={setPage}
        onInstall={({ key }) => acts.push(`install ${key}`)}
        onUninstall={({ key }) => acts.push(`uninstall ${key}`)}
        onChangeValues={({ key }) => acts.push(`change ${key}`)}
      />
    );
  }
  render(
    <MantineProvider>
      <Store />
    </MantineProvider>,
  );
  return {
    acts,
    names: () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent),
    press: (name: string) => fireEvent.click(screen.getByRole('button', { name })),
    search: (text: string) => fireEvent.change(screen.getByLabelText('Search tools'), { target: { value: text } }),
  };
}

describe('a page of the store', () => {
  test.each([
    [390, 8],
    [500, 8],
    [501, 4],
    [639, 4],
    [640, 6],
    [1023, 6],
    [1024, 8],
    [2560, 8],
  ])('at %s px has %s plugins', (width, size) => {
    expect(storePageSize(width)).toBe(size);
  });

  test('is as long as the window says, and changes with it', () => {
    const { names } = showStore(many, 700);
    expect(names()).toHaveLength(6);
    window.innerWidth = 600;
    fireEvent(window, new Event('resize'));
    expect(names()).toHaveLength(4);
  });

  test('is followed by the next one, and a search begins at the first', () => {
    const { names, press, search } = showStore(many);
    press('Next');
    expect(names()).toEqual(['Plugin 9', 'Plugin 10', 'Plugin 11']);
    search('PLUGIN');
    expect(names()[0]).toBe('Plugin 1');
    expect(screen.getByText('Page 1 of 2')).toBeTruthy();
    search('no such name');
    expect(screen.getByText('No tool matches your search.')).toBeTruthy();
  });
});

describe('the plugins', () => {
  test('are found by name in any case, not by description; those that ended come last', () => {
    const document = plugin('Alpha 2', { isOpenApi: true });
    const plugins = [plugin('Alpha', { unavailable: 'It has ended.' }), document, plugin('Beta'), plugin('Alphabet')];
    expect(findPlugins(plugins, ' ALPHA ').map(({ name }) => name)).toEqual(['Alphabet', 'Alpha 2', 'Alpha']);
    expect(findPlugins(plugins, 'does')).toEqual([]);
  });

  test('that ended say so and cannot be installed, but uninstalled', () => {
    const ended = { unavailable: 'It has ended.' };
    const { acts, press } = showStore([plugin('Old', ended), plugin('Kept', { ...ended, isInstalled: true })]);
    expect(screen.getAllByText('It has ended.')).toHaveLength(2);
    expect(screen.getAllByText('Ended')).toHaveLength(2);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Old' }).disabled).toBe(true);
    press('Remove Kept');
    expect(acts).toEqual(['uninstall kept']);
  });

  test('that ended say why in the language of the reader', async () => {
    const plugins = [
      plugin('Tarot', { unavailable: 'Over.', why: { type: 'service_ended' } }),
      plugin('Zapier', { unavailable: 'Over.', why: { type: 'service_moved', name: 'Zapier' } }),
    ];
    await chooseLanguage('de-DE');
    showStore(plugins);
    expect(screen.getByText('Der Dienst hinter diesem Werkzeug wird nicht mehr angeboten.')).toBeTruthy();
    expect(
      screen.getByText('Zapier bietet diesen Dienst nicht mehr an. Der MCP-Server von Zapier kann dasselbe.'),
    ).toBeTruthy();
    await chooseLanguage('auto');
  });

  test('with saved values can be given others', () => {
    const saved = { fields: [field('A', { isSaved: true })], isInstalled: true };
    const { acts, press } = showStore([plugin('Search', saved)]);
    press('Change the settings of Search');
    expect(acts).toEqual(['change search']);
  });

  test('ask for values unless the operator or the person has given them, or they work without', () => {
    const asks = (fields: PluginField[], isAuthenticated = false) => needsForm({ fields, isAuthenticated });
    expect(asks([])).toBe(false);
    expect(asks([field('A')])).toBe(true);
    expect(asks([field('A')], true)).toBe(false);
    expect(asks([field('A', { isSaved: true }), field('B')])).toBe(true);
    expect(asks([field('A', { isSaved: true })])).toBe(false);
    expect(asks([field('A', { isOptional: true })])).toBe(false);
  });

  test('have signs of one style, and no image of their makers', () => {
    showStore(many);
    expect(document.querySelectorAll('img')).toHaveLength(0);
    for (const card of screen.getAllByRole('listitem')) expect(card.querySelector('svg')).not.toBeNull();
  });
});

describe('the form of a plugin', () => {
  function showForm(fields: PluginField[], isBusy = false) {
    const saved: Values[] = [];
    render(
      <MantineProvider>
        <PluginForm
          plugin={plugin('Search', { fields })}
          isBusy={isBusy}
          onSave={(values) => saved.push(values)}
          onCancel={() => undefined}
        />
      </MantineProvider>,
    );
    const input = (label: string) => screen.getByLabelText(label);
    return {
      saved,
      save: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }),
      type(label: string, value: string) {
        fireEvent.change(input(label), { target: { value } });
        fireEvent.blur(input(label));
      },
    };
  }

  test('saves the first of alternatives, once all values are long enough', () => {
    const { saved, save, type } = showForm([field('A||B', { label: 'First' }), field('C', { label: 'Second' })]);
    expect(save().disabled).toBe(true);
    type('First', '  0123456789 ');
    expect(save().disabled).toBe(true);
    type('Second', '012345678');
    expect(save().disabled).toBe(true);
    expect(screen.getByText('Second must be at least 10 characters long')).toBeTruthy();
    type('Second', '0123456789');
    expect(screen.queryByText(/must be at least/)).toBeNull();
    expect(save().disabled).toBe(false);
    fireEvent.submit(save());
    expect(saved).toEqual([{ A: '0123456789', C: '0123456789' }]);
  });

  test('says that a value is required once it was emptied', () => {
    const { save, type } = showForm([field('A', { label: 'First' })]);
    expect(screen.queryByText('First is required.')).toBeNull();
    type('First', '0123456789');
    type('First', ' ');
    expect(within(document.body).getByText('First is required.')).toBeTruthy();
    expect(save().disabled).toBe(true);
  });

  test('saves nothing twice', () => {
    const { saved, save, type } = showForm([field('A', { label: 'First' })], true);
    type('First', '0123456789');
    expect(save().getAttribute('aria-disabled')).toBe('true');
    fireEvent.submit(save());
    expect(saved).toEqual([]);
  });

  test('asks in the language of the reader', async () => {
    await chooseLanguage('de-DE');
    const asked = { label: 'Tavily API key', description: 'The key of your account at tavily.com.' };
    const { type } = showForm([field('TAVILY_API_KEY', asked)]);
    expect(screen.getByText('Der Schlüssel Ihres Kontos bei tavily.com.')).toBeTruthy();
    type('API-Schlüssel von Tavily', 'short');
    expect(screen.getByText('API-Schlüssel von Tavily muss mindestens 10 Zeichen lang sein')).toBeTruthy();
    const why = { type: 'values_missing' as const, fields: [{ field: 'TAVILY_API_KEY', label: 'Tavily API key' }] };
    expect(describeHindrance(why, i18n.t)).toContain('API-Schlüssel von Tavily');
    await chooseLanguage('auto');
  });

  test('asks in English as the server does', () => {
    const asked = PLUGINS.flatMap(({ fields }) => fields.filter(({ isOptional }) => !isOptional));
    for (const { names, label, description } of asked) {
      const told = { field: names.join('||'), label: 'Unknown', description: 'Unknown' };
      expect([label, 'Unknown']).toContain(fieldLabel(told, i18n.t));
      expect(description.startsWith('https:') ? 'Unknown' : description).toBe(fieldHint(told, i18n.t));
    }
  });

  test('does not ask for what the plugin works without', () => {
    showForm([field('A', { label: 'First', isOptional: true }), field('B', { label: 'Second' })]);
    expect(screen.queryByLabelText('First')).toBeNull();
  });

  test('masks secrets, and not addresses', () => {
    showForm([field('A', { label: 'Secret' }), field('B', { label: 'Address', isAddress: true })]);
    expect(screen.getByLabelText('Secret').getAttribute('type')).toBe('password');
    expect(screen.getByLabelText('Address').getAttribute('type')).toBe('url');
  });
});

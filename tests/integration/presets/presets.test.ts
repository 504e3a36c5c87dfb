import { randomUUID } from 'node:crypto';
import { presets } from '@parley/db/tables/presets';
import { PRESETS_MAX, type Preset, type SavePreset } from '@parley/schema/settings/presets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterEach(async () => {
  await alice.api.presets.removeAll();
  await bob.api.presets.removeAll();
});
afterAll(() => services.close());

describe('a preset', () => {
  it('is saved without defaults, and listed', async () => {
    const settings = { temperature: 0.3, top_p: 1, stop: [], promptPrefix: '', chatGptLabel: 'Poet', unknown: 7 };
    const saved = await save({ title: ' Verse ', model: 'gpt-4', settings });
    expect(saved).toMatchObject({ title: 'Verse', endpoint: 'openAI', endpointType: 'openAI', model: 'gpt-4' });
    expect(saved).toMatchObject({ isDefault: false, order: null, user: alice.id });
    expect(saved.settings).toEqual({ temperature: 0.3, chatGptLabel: 'Poet' });
    expect(await alice.api.presets.list()).toEqual([saved]);
  });

  it('is called My Preset when it has no title', async () => {
    expect((await save({ title: ' ' })).title).toBe('My Preset');
  });

  it('is changed under its id, keeping fields that are left out', async () => {
    const saved = await save({ title: 'Verse', model: 'gpt-4', settings: { temperature: 0.3 } });
    const { presetId } = saved;
    const renamed = await alice.api.presets.save({ presetId, title: 'Prose' });
    expect(renamed).toEqual({ ...saved, title: 'Prose', updatedAt: expect.any(String) });
    const retold = await alice.api.presets.save({ presetId, endpoint: 'openAI', model: 'gpt-4' });
    expect(retold).toMatchObject({ title: 'Prose', settings: {} });
    expect(await alice.api.presets.list()).toHaveLength(1);
  });

  it('may get its id from the client', async () => {
    const presetId = randomUUID();
    expect((await save({ presetId })).presetId).toBe(presetId);
  });

  it('drops invalid settings and keeps the others', async () => {
    const settings = { temperature: 9, top_p: 0.5, stop: 'END', presence_penalty: 'x' };
    expect((await save({ settings })).settings).toEqual({ top_p: 0.5 });
  });

  it('keeps valid fields of older clients beside the parameters', async () => {
    const agentOptions = { agent: 'functions', skipCompletion: true, model: 'gpt-4', temperature: 0 };
    const kept = { tools: ['calculator'], agentOptions, iconURL: '/icon.svg', assistant_id: 'asst_1' };
    const { settings } = await save({ endpoint: 'gptPlugins', settings: { ...kept, jailbreak: true } });
    expect(settings).toEqual(kept);
    const bing = { toneStyle: 'precise', context: 'Long ago', systemMessage: 'Be kind', jailbreak: true };
    expect((await save({ endpoint: 'bingAI', settings: bing })).settings).toEqual(bing);
    const odd = { tools: 5, agentOptions: { agent: 'x' }, iconURL: 5 };
    expect((await save({ endpoint: 'gptPlugins', settings: odd })).settings).toEqual({});
  });

  it('has its plugins by their keys, also where a client sends them whole', async () => {
    const tools = [{ pluginKey: 'wolfram', name: 'Wolfram' }];
    expect((await save({ endpoint: 'gptPlugins', settings: { tools } })).settings).toEqual({ tools: ['wolfram'] });
  });

  it('is saved without an endpoint when its endpoint is unknown', async () => {
    const saved = await save({ endpoint: 'Nowhere', model: 'x', settings: { temperature: 0.3 } });
    expect(saved).toMatchObject({ endpoint: null, endpointType: null, model: null, settings: {} });
  });

  it('is cleaned, and refused when it is too long', async () => {
    const saved = await save({ title: 'a\u0000\ud83d', settings: { promptPrefix: 'b\u0000' } });
    expect(saved).toMatchObject({ title: 'a\ufffd', settings: { promptPrefix: 'b' } });
    await expect(save({ title: 'x'.repeat(256) })).rejects.toThrow('The title is too long');
    const examples = Array.from({ length: 10 }, () => ({
      input: { content: 'x'.repeat(32_000) },
      output: { content: '' },
    }));
    await expect(save({ endpoint: 'google', settings: { examples } })).rejects.toThrow('invalid_input');
  });

  it('is hidden from other users', async () => {
    const { presetId } = await save({ title: 'Verse' });
    expect(await bob.api.presets.list()).toEqual([]);
    expect(await bob.api.presets.remove({ presetId })).toEqual({ deletedCount: 0 });
    await bob.api.presets.save({ presetId, title: 'Of bob', endpoint: null });
    expect(await titles()).toEqual(['Verse']);
    expect(await titles(bob)).toEqual(['Of bob']);
  });
});

describe('the default preset', () => {
  it('is listed first, and replaces the previous default', async () => {
    const first = await save({ title: 'First', isDefault: true });
    expect(first).toMatchObject({ isDefault: true, order: 0 });
    const second = await save({ title: 'Second', isDefault: true });
    expect(await alice.api.presets.list()).toMatchObject([
      { title: 'Second', isDefault: true, order: 0 },
      { title: 'First', isDefault: false, order: null },
    ]);
    const unset = await alice.api.presets.save({ presetId: second.presetId, isDefault: false });
    expect(unset).toMatchObject({ isDefault: false, order: null });
  });

  it('is unique, even when several are set at once', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, n) => save({ title: `${n}`, isDefault: true })));
    const defaults = (await alice.api.presets.list()).filter(({ isDefault }) => isDefault);
    expect(defaults).toHaveLength(1);
  });

  it('stays the default when only its title changes', async () => {
    const { presetId } = await save({ title: 'First', isDefault: true });
    expect(await alice.api.presets.save({ presetId, title: 'Still' })).toMatchObject({ isDefault: true, order: 0 });
  });
});

describe('the list of presets', () => {
  it('has presets with an order first, then the newest saved', async () => {
    const old = await save({ title: 'Old' });
    await save({ title: 'New' });
    await save({ title: 'Placed', order: 2 });
    await save({ title: 'Pinned', isDefault: true });
    expect(await titles()).toEqual(['Pinned', 'Placed', 'New', 'Old']);
    await alice.api.presets.save({ presetId: old.presetId, title: 'Old again' });
    expect(await titles()).toEqual(['Pinned', 'Placed', 'Old again', 'New']);
  });

  it('has a maximum length', async () => {
    const rows = Array.from({ length: PRESETS_MAX }, (_, n) => ({ userId: alice.id, id: randomUUID(), title: `${n}` }));
    await services.deps.db.query.insert(presets).values(rows);
    await expect(save({ title: 'One too many' })).rejects.toThrow('conflict');
    expect(await titles()).not.toContain('One too many');
    const changed = await alice.api.presets.save({ presetId: rows[0]?.id, title: 'Changed' });
    expect(changed.title).toBe('Changed');
  });

  it('has a maximum size', async () => {
    const settings = { promptPrefix: 'x'.repeat(32_000) };
    const rows = Array.from({ length: 156 }, (_, n) => ({
      userId: alice.id,
      id: randomUUID(),
      title: `${n}`,
      settings,
    }));
    await services.deps.db.query.insert(presets).values(rows);
    await expect(save({ settings })).rejects.toThrow('conflict');
    await save({ title: 'Small' });
  });

  it('refuses a preset with a hundred thousand stop sequences', async () => {
    const stop = Array.from({ length: 100_000 }, () => 'x');
    await expect(save({ title: 'Stop', settings: { stop } })).rejects.toMatchObject({
      cause: { reason: { type: 'invalid_input', text: expect.stringContaining('too large') } },
    });
    expect(await titles()).toEqual([]);
  });

  it('can be deleted in one call', async () => {
    await save({ title: 'One' });
    await save({ title: 'Two' });
    expect(await alice.api.presets.removeAll()).toEqual({ deletedCount: 2 });
    expect(await titles()).toEqual([]);
  });
});

function save(input: Partial<SavePreset>): Promise<Preset> {
  return alice.api.presets.save({ endpoint: 'openAI', ...input });
}

async function titles({ api }: Person = alice): Promise<string[]> {
  return (await api.presets.list()).map(({ title }) => title);
}

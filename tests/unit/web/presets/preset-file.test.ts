import { describe, expect, test } from 'vitest';
import { presetFile, parsePreset, readPresetFile } from '../../../../web/src/presets/preset-file.ts';

const draft = {
  presetId: 'p1',
  title: 'Verse',
  endpoint: 'Mistral',
  model: 'mistral-tiny',
  settings: { temperature: 0.3, stop: ['END'], promptPrefix: null },
};

describe('a preset file', () => {
  test('has the settings and no ids of its owner or order', () => {
    expect(presetFile(draft, 'custom')).toEqual({
      presetId: null,
      title: 'Verse',
      endpoint: 'Mistral',
      endpointType: 'custom',
      model: 'mistral-tiny',
      temperature: 0.3,
      stop: ['END'],
    });
    expect(presetFile({ ...draft, endpoint: 'openAI' }, 'openAI')).not.toHaveProperty('endpointType');
  });

  test('is read as it was written', () => {
    const { title, endpoint, model } = draft;
    const settings = { temperature: 0.3, stop: ['END'] };
    expect(parsePreset(JSON.stringify(presetFile(draft, 'custom')))).toEqual({ title, endpoint, model, settings });
  });

  test('of another client may have no title', () => {
    const text = JSON.stringify({ presetId: 'x', title: ' ', endpoint: null, temperature: 0.2 });
    expect(parsePreset(text)).toEqual({ title: null, endpoint: null, model: null, settings: { temperature: 0.2 } });
  });

  test.each(['', 'x', '[]', '[{"endpoint":"openAI"}]', 'null', '5', '"x"', '{}', '{"a":1}', '{"endpoint":'])(
    'cannot be %j',
    (text) => {
      expect(parsePreset(text)).toBeNull();
    },
  );

  test('is not read when it is too large', async () => {
    const text = JSON.stringify({ ...presetFile(draft, 'custom'), promptPrefix: 'x'.repeat(1_000_000) });
    expect(await readPresetFile(new Blob([text]))).toBeNull();
    expect(await readPresetFile(new Blob([JSON.stringify(presetFile(draft, 'custom'))]))).not.toBeNull();
  });
});

// The speech of configurations of 0.7.5 and later.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

const DOCUMENTED = `version: 1.2.1
speech:
  speechTab:
    conversationMode: true
    speechToText: { engineSTT: external, autoSendText: 0 }
    textToSpeech: { engineTTS: external, voice: alloy }
  stt:
    openai: { url: '', apiKey: '\${STT_API_KEY}', model: whisper-1 }
  tts:
    openai: { url: '', apiKey: '\${TTS_API_KEY}', model: tts-1, voices: [alloy, echo] }
    elevenlabs: { apiKey: '\${ELEVEN_KEY}', model: eleven_multilingual_v2, voices: [voice-id-1] }
`;

async function speechOf(yaml: string | null, env: Record<string, string> = {}) {
  const folder = createFolder();
  if (yaml !== null) writeFileSync(join(folder, 'parley.yaml'), yaml);
  const { speech, warnings } = await loadConfig({ env: { DATA_DIR: folder, ...env }, cwd: folder });
  return { ...speech, said: warnings.filter((line) => /speech/.test(line)) };
}

const KEYS = { STT_API_KEY: 'sk-stt', TTS_API_KEY: 'sk-tts', ELEVEN_KEY: 'xi' };

describe('the documented shape', () => {
  it('acts, and says once what does not', async () => {
    const { stt, tts, tab, said } = await speechOf(DOCUMENTED, KEYS);
    expect(stt).toEqual({
      wire: 'openAI',
      url: 'https://api.openai.com/v1/audio/transcriptions',
      apiKey: 'sk-stt',
      model: 'whisper-1',
      isElsewhere: false,
    });
    expect(tts).toMatchObject({ wire: 'openAI', apiKey: 'sk-tts', model: 'tts-1', voices: ['alloy', 'echo'] });
    expect(tab).toEqual({
      conversationMode: true,
      engineSTT: 'external',
      autoSendText: 0,
      engineTTS: 'external',
      voice: 'alloy',
    });
    expect(said).toEqual([
      'In parley.yaml, speech.tts.elevenlabs has no effect: speech.tts.openai acts.',
      'In parley.yaml, speech.speechTab is only told to clients of the REST API.',
    ]);
  });

  it('is off where its variables are not set, and the server starts', async () => {
    const { stt, tts, said } = await speechOf(DOCUMENTED, { TTS_API_KEY: 'sk-tts', ELEVEN_KEY: 'xi' });
    expect(stt).toBeNull();
    expect(tts?.wire).toBe('openAI');
    expect(said[0]).toBe(
      'speech.stt.openai is off: in parley.yaml, speech.stt.openai.apiKey refers to ${STT_API_KEY}, but the environment variable STT_API_KEY is not set.',
    );
  });
});

it.each([
  [
    'Azure',
    'stt: { azureOpenAI: { instanceName: house, apiKey: k, deploymentName: whisper, apiVersion: 2024-06-01 } }',
    'stt',
    'https://house.openai.azure.com/openai/deployments/whisper/audio/transcriptions?api-version=2024-06-01',
  ],
  [
    'ElevenLabs',
    'tts: { elevenlabs: { apiKey: k, model: eleven_flash_v2, voices: [v], voice_settings: { stability: 0.5 } } }',
    'tts',
    'https://api.elevenlabs.io/v1/text-to-speech',
  ],
  [
    'LocalAI',
    'tts: { localai: { url: "http://localhost:8080/tts", apiKey: "", voices: [en-us], backend: piper } }',
    'tts',
    'http://localhost:8080/tts',
  ],
  [
    'a server of one’s own without a key',
    'stt: { openai: { url: "http://whisper:9000/v1", apiKey: "", model: base } }',
    'stt',
    'http://whisper:9000/v1/audio/transcriptions',
  ],
  [
    'an address of the call itself',
    'stt: { openai: { url: "http://whisper:9000/v1/audio/transcriptions", model: base } }',
    'stt',
    'http://whisper:9000/v1/audio/transcriptions',
  ],
] as const)('%s has its address', async (_, yaml, part, url) => {
  const { said, ...speech } = await speechOf(`version: 1.2.1\nspeech: { ${yaml} }\n`);
  expect(speech[part]?.url).toBe(url);
  expect(said).toEqual([]);
});

describe('the key', () => {
  it('alone sets OpenAI up', async () => {
    const { stt, tts } = await speechOf(null, { STT_API_KEY: 'sk-stt' });
    expect([stt?.apiKey, stt?.model, tts]).toEqual(['sk-stt', 'whisper-1', null]);
  });

  it('is that of the OpenAI endpoint where there is no other', async () => {
    const env = { OPENAI_API_KEY: 'sk-house', OPENAI_REVERSE_PROXY: 'http://gateway/v1' };
    const { stt } = await speechOf('version: 1.2.1\nspeech: { stt: { openai: { model: whisper-1 } } }\n', env);
    expect([stt?.apiKey, stt?.url]).toEqual(['sk-house', 'http://gateway/v1/audio/transcriptions']);
  });

  it('of the OpenAI endpoint goes to no other address', async () => {
    const yaml = 'version: 1.2.1\nspeech: { stt: { openai: { url: "http://elsewhere/v1" } } }\n';
    expect((await speechOf(yaml, { OPENAI_API_KEY: 'sk-house' })).stt?.apiKey).toBeUndefined();
  });

  it('that each person brings, or of an endpoint that is off, sets nothing up', async () => {
    const yaml = 'version: 1.2.1\nspeech: { stt: { openai: { model: whisper-1 } } }\n';
    const brought = await speechOf(yaml, { OPENAI_API_KEY: 'user_provided' });
    expect(brought.stt).toBeNull();
    expect(brought.said).toEqual([
      'In parley.yaml, speech.stt.openai is off: it needs an apiKey, STT_API_KEY or a url.',
    ]);
    const off = { OPENAI_API_KEY: 'sk-house', ENDPOINTS: 'anthropic', ANTHROPIC_API_KEY: 'k' };
    expect((await speechOf(yaml, off)).stt).toBeNull();
  });
});

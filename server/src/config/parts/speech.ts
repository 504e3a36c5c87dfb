// Who writes down what people say, and who reads answers aloud.
import { withoutTrailingSlash } from '../addresses.ts';
import { readCredential } from '../credentials.ts';
import type { Env, RawEnv } from '../env/env.ts';
import type { SpeechYaml, Yaml } from '../yaml/yaml-schema.ts';

/** A service of speech, with the address of its call. */
export type SpeechService = {
  /** Whose protocol it speaks, which is also its name in the usage. */
  wire: 'openAI' | 'azureOpenAI' | 'elevenLabs' | 'localAI';
  url: string;
  /** Absent for servers that need none. */
  apiKey: string | undefined;
  model: string;
  /** Whether it is at an address of the operator's own. */
  isElsewhere: boolean;
};

export type ReadingService = SpeechService & {
  /** At least one. */
  voices: string[];
  /** What is sent along as it is. */
  extras: Record<string, unknown>;
};

export type SpeechConfig = {
  stt: SpeechService | null;
  tts: ReadingService | null;
  /** What clients of the REST API are told to begin with, in one flat map. */
  tab: Record<string, unknown>;
};

/** The voices that every model of OpenAI's has. */
const OPENAI_VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];
const OPENAI_URL = 'https://api.openai.com/v1';

interface From {
  env: Env;
  yaml: Yaml;
  raw: RawEnv;
  file: string | undefined;
  /** The endpoints that are on. */
  offered: readonly { type: string }[];
}

/** With one sentence for each setting that has no effect. */
export function speechConfig({ env, yaml, raw, file = '', offered }: From): {
  speech: SpeechConfig;
  notices: string[];
} {
  const { stt, tts, speechTab } = yaml.speech ?? {};
  const shared = offered.some(({ type }) => type === 'openAI') ? sharedKey(raw) : null;
  const dictation = sttOf(stt, env.STT_API_KEY, shared);
  const reading = ttsOf(tts, env.TTS_API_KEY, shared);
  return {
    speech: { stt: dictation[0] ?? null, tts: reading[0] ?? null, tab: flat(speechTab ?? {}) },
    notices: [
      ...further('stt', dictation, file),
      ...further('tts', reading, file),
      ...lacking('stt', stt, dictation, file),
      ...lacking('tts', tts, reading, file),
      ...(speechTab ? [`In ${file}, speech.speechTab is only told to clients of the REST API.`] : []),
    ],
  };
}

/** The key of the OpenAI endpoint with its address; null where each person brings their own. */
function sharedKey(raw: RawEnv): { apiKey: string; url: string } | null {
  const given = raw['OPENAI_API_KEY']?.trim();
  const key = given ? readCredential(given) : { from: 'user' as const };
  if (key.from === 'user') return null;
  return { apiKey: key.apiKey, url: raw['OPENAI_REVERSE_PROXY']?.trim() || OPENAI_URL };
}

type Shared = ReturnType<typeof sharedKey>;

/** The first one that is complete acts. */
function sttOf(yaml: SpeechYaml['stt'], ownKey: string | undefined, shared: Shared): SpeechService[] {
  const openai = yaml?.openai ?? (yaml || !ownKey ? undefined : {});
  return [
    atOpenAI(openai, '/audio/transcriptions', 'whisper-1', ownKey, shared),
    yaml?.azureOpenAI && atAzure(yaml.azureOpenAI, 'transcriptions', 'whisper-1'),
  ].filter((service) => service !== undefined);
}

function ttsOf(yaml: SpeechYaml['tts'], ownKey: string | undefined, shared: Shared): ReadingService[] {
  const openai = yaml?.openai ?? (yaml || !ownKey ? undefined : {});
  const { azureOpenAI: azure, elevenlabs, localai } = yaml ?? {};
  const ofOpenAI = atOpenAI(openai, '/audio/speech', 'tts-1', ownKey, shared);
  const all: (ReadingService | undefined)[] = [
    ofOpenAI && { ...ofOpenAI, voices: voicesOf(openai, OPENAI_VOICES), extras: {} },
    azure && { ...atAzure(azure, 'speech', 'tts-1'), voices: voicesOf(azure, OPENAI_VOICES), extras: {} },
    elevenlabs && atElevenLabs(elevenlabs),
    localai && {
      wire: 'localAI',
      url: localai.url,
      apiKey: localai.apiKey || undefined,
      model: localai.backend ?? 'localai',
      isElsewhere: true,
      voices: voicesOf(localai, []),
      extras: localai.backend === undefined ? {} : { backend: localai.backend },
    },
  ];
  return all.filter((service) => service !== undefined).filter(({ voices }) => voices.length > 0);
}

interface OpenAIYaml {
  url?: string | undefined;
  apiKey?: string | undefined;
  model?: string | undefined;
}

/** Undefined without a key, unless it is another server. The key of the OpenAI endpoint goes to no other address. */
function atOpenAI(
  yaml: OpenAIYaml | undefined,
  path: string,
  model: string,
  ownKey: string | undefined,
  shared: Shared,
): SpeechService | undefined {
  if (!yaml) return undefined;
  const key = yaml.apiKey || ownKey;
  const borrowed = !key && !yaml.url ? shared : null;
  if (!key && !yaml.url && !borrowed) return undefined;
  const base = withoutTrailingSlash(yaml.url || borrowed?.url || OPENAI_URL);
  return {
    wire: 'openAI',
    url: base.endsWith(path) ? base : `${base}${path}`,
    apiKey: key || borrowed?.apiKey,
    model: yaml.model ?? model,
    isElsewhere: Boolean(yaml.url) && new URL(base).host !== new URL(OPENAI_URL).host,
  };
}

type AzureYaml = NonNullable<NonNullable<SpeechYaml['stt']>['azureOpenAI']>;

function atAzure(yaml: AzureYaml, call: string, model: string): SpeechService {
  const deployment = encodeURIComponent(yaml.deploymentName);
  const version = encodeURIComponent(yaml.apiVersion);
  return {
    wire: 'azureOpenAI',
    url: `https://${yaml.instanceName}.openai.azure.com/openai/deployments/${deployment}/audio/${call}?api-version=${version}`,
    apiKey: yaml.apiKey,
    model: yaml.model ?? model,
    isElsewhere: false,
  };
}

type ElevenYaml = NonNullable<NonNullable<SpeechYaml['tts']>['elevenlabs']>;

function atElevenLabs({ url, apiKey, model, voices, ...extras }: ElevenYaml): ReadingService {
  return {
    wire: 'elevenLabs',
    url: withoutTrailingSlash(url || 'https://api.elevenlabs.io/v1/text-to-speech'),
    apiKey,
    model: model ?? 'eleven_multilingual_v2',
    isElsewhere: false,
    voices: voicesOf({ voices }, []),
    extras,
  };
}

/** `ALL` stands for those that are known. */
function voicesOf(yaml: { voices?: string[] | undefined } | undefined, known: string[]): string[] {
  const named = (yaml?.voices ?? ['ALL']).flatMap((voice) => (voice === 'ALL' ? known : [voice]));
  return [...new Set(named)];
}

const KEYS = { openAI: 'openai', azureOpenAI: 'azureOpenAI', elevenLabs: 'elevenlabs', localAI: 'localai' } as const;

function further(part: 'stt' | 'tts', [first, ...others]: readonly SpeechService[], file: string): string[] {
  return others.map(
    ({ wire }) =>
      `In ${file}, speech.${part}.${KEYS[wire]} has no effect: speech.${part}.${first ? KEYS[first.wire] : ''} acts.`,
  );
}

function lacking(
  part: 'stt' | 'tts',
  yaml: object | undefined,
  acting: readonly SpeechService[],
  file: string,
): string[] {
  const has = new Set<string>(acting.map(({ wire }) => KEYS[wire]));
  return Object.keys(yaml ?? {})
    .filter((name) => !has.has(name))
    .map((name) =>
      name === 'openai'
        ? `In ${file}, speech.${part}.openai is off: it needs an apiKey, ${part.toUpperCase()}_API_KEY or a url.`
        : `In ${file}, speech.${part}.${name} is off: it needs the names of its voices.`,
    );
}

/** Maps within it, such as `textToSpeech`, give their values; one that is only true or false keeps its name. */
function flat(tab: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tab).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value]],
    ),
  );
}

// What tests of pictures share: a server whose endpoints make some, and pictures of a person.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { ImagePart } from '@parley/schema/messages/messages';
import sharp from 'sharp';
import { keepTestFile } from '../../support/uploads.ts';
import type { TestServices } from '../../support/services.ts';

const YAML = `version: 1.0.7
endpoints:
  custom:
    - name: Paints
      apiKey: sk-paints
      baseURL: '\${FAKE}/v1'
      models: { default: [flux-1, 'fake:echo'] }
      images: true
`;

function configFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'parley-pictures-')), 'parley.yaml');
  writeFileSync(path, YAML);
  return path;
}

export const PICTURES = {
  OPENAI_IMAGE_MODELS: 'gpt-image-1,dall-e-3',
  OPENAI_MODELS: 'gpt-4,fake:echo',
  GOOGLE_KEY: 'fake',
  GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
  GOOGLE_MODELS: 'gemini-2.5-flash,gemini-2.5-flash-image',
  CHECK_BALANCE: 'true',
  CONFIG_PATH: configFile(),
  FAKE: '${FAKE_PROVIDER}',
};

export function imagesIn({ reply }: Pick<FinalEvent, 'reply'>): ImagePart[] {
  return reply.parts.filter((part) => part.type === 'image');
}

export function pictureRequests({ provider }: TestServices) {
  return provider.requests.filter(({ path }) => path.includes('/images/'));
}

/** Keeps a picture as an upload would; a mask is transparent in its left half. Returns its id. */
export async function keepPicture(
  services: TestServices,
  userId: string,
  width: number,
  height: number,
  isMask = false,
): Promise<string> {
  const base = sharp({ create: { width, height, channels: 4, background: isMask ? '#000000ff' : '#c08040ff' } });
  const hole = { create: { width: Math.floor(width / 2), height, channels: 4 as const, background: '#000000ff' } };
  const drawn = isMask ? base.composite([{ input: hole, left: 0, top: 0, blend: 'dest-out' }]) : base;
  const bytes = await drawn.png().toBuffer();
  const row = await keepTestFile(services.deps, userId, {
    text: bytes,
    name: `${randomUUID()}.png`,
    mime: 'image/png',
    width,
    height,
  });
  return row.id;
}

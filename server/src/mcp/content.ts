// What a tool of an MCP server answers, as text for the model and files for the person.
import { basename } from 'node:path';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isImageType } from '@parley/schema/files/file-types';
import type { FilePart, ImagePart } from '@parley/schema/messages/messages';
import { detectType } from '../files/detect-type.ts';
import { keepFile, keepingOf, type Keeper } from '../files/keep-file.ts';
import { keepMadeImage } from '../files/keep-made-image.ts';
import { pathOf } from '../files/present.ts';
import { scanProblemOf } from '../files/upload/file-refusal.ts';
import { Refusal } from '../platform/errors.ts';
import { receive, withArrival } from '../storage/arrivals.ts';

export interface Content {
  text: string;
  outputs: (ImagePart | FilePart)[];
}

/** The most files that one answer may bring. */
const FILES_MAX = 10;
const NAME_MAX = 100;

interface Blob {
  data: string;
  mime: string;
  /** Without an extension for pictures. */
  name: string;
}

/** @param tool names the files that have no name of their own */
export async function readContent(
  deps: Keeper,
  userId: string,
  tool: string,
  { content, structuredContent }: Pick<CallToolResult, 'content' | 'structuredContent'>,
): Promise<Content> {
  const said: Content = { text: '', outputs: [] };
  const lines: string[] = [];
  for (const block of content) {
    const blob = blobOf(block, tool);
    lines.push(blob ? await keepBlob(deps, userId, blob, said.outputs) : textOf(block));
  }
  const hasText = content.some(({ type }) => type === 'text');
  if (!hasText && structuredContent !== undefined) lines.push(JSON.stringify(structuredContent));
  return { ...said, text: lines.filter((line) => line !== '').join('\n') };
}

function blobOf(block: ContentBlock, tool: string): Blob | null {
  if (block.type === 'image' || block.type === 'audio') return { data: block.data, mime: block.mimeType, name: tool };
  if (block.type !== 'resource' || !('blob' in block.resource)) return null;
  const { blob, mimeType = '', uri } = block.resource;
  return { data: blob, mime: mimeType, name: nameIn(uri) || tool };
}

/** The last part of the address. */
function nameIn(uri: string): string {
  return basename(uri.split(/[?#]/, 1)[0] ?? '')
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(0, NAME_MAX);
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? `${block.resource.uri}\n${block.resource.text}` : '';
    case 'resource_link': {
      const about = block.description === undefined ? '' : ` (${block.description})`;
      return `${block.title ?? block.name}: ${block.uri}${about}`;
    }
    default:
      return '';
  }
}

/** Returns what the model gets of it. */
async function keepBlob(deps: Keeper, userId: string, blob: Blob, kept: Content['outputs']): Promise<string> {
  if (kept.length >= FILES_MAX) return '[Another file is left out.]';
  const bytes = Buffer.from(blob.data, 'base64');
  try {
    const part = await keepBytes(deps, userId, blob, bytes);
    kept.push(part);
    return part.type === 'image' ? '[A picture, shown to the reader.]' : `[The file ${part.name}, for the reader.]`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (scanProblemOf(error)) return '[The scanner of this server did not let a file pass: it is left out.]';
    return error.reason.type === 'storage_full'
      ? '[There is no room left for a file.]'
      : '[A picture cannot be read, and is left out.]';
  }
}

async function keepBytes(deps: Keeper, userId: string, { mime, name }: Blob, bytes: Buffer) {
  if (isImageType(mime)) return keepMadeImage(deps, { userId, bytes, name: stemOf(name), prompt: '' });
  return withArrival(deps.config, async (path) => {
    const arrived = await receive([bytes], path);
    const detected = await detectType(path, name, mime);
    if (isImageType(detected)) return keepMadeImage(deps, { userId, bytes, name: stemOf(name), prompt: '' });
    const file = { userId, path, name, mime: detected, ...arrived };
    const row = await keepFile(keepingOf(deps), { ...file, context: 'assistants_output' });
    const part: FilePart = {
      type: 'file',
      fileId: row.id,
      path: pathOf(row),
      name: row.name,
      mime: row.mime,
      bytes: row.bytes,
    };
    return part;
  });
}

function stemOf(name: string): string {
  return name.replace(/\.\w+$/, '') || 'picture';
}

// What a tool of an MCP server answers, as text for the model and files for the person.
import { basename } from 'node:path';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isImageType } from '@parley/schema/files/file-types';
import type { FilePart, ImagePart } from '@parley/schema/messages/messages';
import { detectType } from '../files/detect-type.ts';
import { saveFile, createFileSaver, type FileSaverDeps } from '../files/save-file.ts';
import { saveGeneratedImage } from '../files/save-generated-image.ts';
import { filePath } from '../files/present.ts';
import { scanProblem } from '../files/upload/file-refusal.ts';
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
  /** Without an extension for images. */
  name: string;
}

/** @param tool names the files that have no name of their own */
export async function readContent(
  deps: FileSaverDeps,
  userId: string,
  tool: string,
  { content, structuredContent }: Pick<CallToolResult, 'content' | 'structuredContent'>,
): Promise<Content> {
  const said: Content = { text: '', outputs: [] };
  const lines: string[] = [];
  for (const block of content) {
    const blob = blobOf(block, tool);
    lines.push(blob ? await saveBlob(deps, userId, blob, said.outputs) : textOf(block));
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
async function saveBlob(deps: FileSaverDeps, userId: string, blob: Blob, saved: Content['outputs']): Promise<string> {
  if (saved.length >= FILES_MAX) return '[Another file is left out.]';
  const bytes = Buffer.from(blob.data, 'base64');
  try {
    const part = await saveBytes(deps, userId, blob, bytes);
    saved.push(part);
    return part.type === 'image' ? '[A picture, shown to the reader.]' : `[The file ${part.name}, for the reader.]`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (scanProblem(error)) return '[The scanner of this server did not let a file pass: it is left out.]';
    return error.reason.type === 'storage_full'
      ? '[There is no room left for a file.]'
      : '[A picture cannot be read, and is left out.]';
  }
}

async function saveBytes(deps: FileSaverDeps, userId: string, { mime, name }: Blob, bytes: Buffer) {
  if (isImageType(mime)) return saveGeneratedImage(deps, { userId, bytes, name: stemOf(name), prompt: '' });
  return withArrival(deps.config, async (path) => {
    const arrived = await receive([bytes], path);
    const detected = await detectType(path, name, mime);
    if (isImageType(detected)) return saveGeneratedImage(deps, { userId, bytes, name: stemOf(name), prompt: '' });
    const file = { userId, path, name, mime: detected, ...arrived };
    const row = await saveFile(createFileSaver(deps), { ...file, context: 'assistants_output' });
    const part: FilePart = {
      type: 'file',
      fileId: row.id,
      path: filePath(row),
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

// Tools of strangers, as they come to the registry: what real servers of the Model Context Protocol publish, the
// operations of hard OpenAPI documents, and schemas made by chance.
import { readdirSync, readFileSync } from 'node:fs';
import { readDocument } from '@parley/server/actions/read-document';
import type { ToolSpec } from '@parley/server/providers/tool-spec';
import { cleanSchema } from '@parley/server/tools/clean-schema';
import { chatApi, forgeApi, paymentApi } from './api-documents.ts';
import { oddSchemas } from './odd-schemas.ts';

const FIXTURES = new URL('../../../fixtures/mcp-tools/', import.meta.url);

interface Published {
  name: string;
  description?: string;
  inputSchema: unknown;
}

export function foreignTools(): ToolSpec[] {
  const published = readdirSync(FIXTURES).flatMap((file) => {
    const tools = JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8')) as Published[];
    return tools.map(({ name, description = '', inputSchema }) => toolOf(`${file}_${name}`, description, inputSchema));
  });
  const described = [chatApi(), paymentApi(), forgeApi()].flatMap((document) => {
    const read = readDocument(document);
    if (read.status !== 'valid') throw new Error(`The document cannot be read: ${read.status}`);
    return read.operations.map(({ name, description, parameters }) => toolOf(name, description, parameters));
  });
  const known = [...published, ...described];
  const odd = oddSchemas(500 - known.length).map((schema, n) => toolOf(`${n % 7}_odd_${n}`, 'Odd. '.repeat(n), schema));
  return [...known, ...odd];
}

function toolOf(name: string, description: string, schema: unknown): ToolSpec {
  return { name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64), description, parameters: cleanSchema(schema) };
}

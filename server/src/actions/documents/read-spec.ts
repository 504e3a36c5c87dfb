// OpenAPI documents of people, bounded in length. They may be hostile: nothing of them is parsed in this process.
import { SPEC_BYTES_MAX, type ParsedSpec } from '@parley/schema/assistants/actions';
import type { Choice, ReadSpec } from '../read-document.ts';
import type { SpecOrder } from './spec-order.ts';
import { askSpecProcess } from './spec-process.ts';

/**
 * Reads JSON or YAML, with the schemas of the operations that are on. Never throws for what is in it.
 * @param key whose document it is
 */
export async function readSpec(key: string, text: string, chosen: Choice | null = null): Promise<ReadSpec> {
  const response = await ask(key, { text, task: 'read', chosen });
  if (typeof response === 'string') return { status: response, warnings: [] };
  return response as ReadSpec;
}

/** The same for people, with all operations. */
export async function listSpec(key: string, text: string, chosen: Choice | null = null): Promise<ParsedSpec> {
  const response = await ask(key, { text, task: 'list', chosen });
  if (typeof response === 'string') return { status: response, domain: null, title: '', operations: [], warnings: [] };
  return response as ParsedSpec;
}

async function ask(key: string, order: SpecOrder) {
  if (Buffer.byteLength(order.text) > SPEC_BYTES_MAX) return 'too_long';
  return (await askSpecProcess(key, order)) ?? 'too_complex';
}

// Plugins as a source of tools.
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { Config } from '../config/config.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { saveGeneratedImage } from '../files/save-generated-image.ts';
import { scanProblem } from '../files/upload/file-refusal.ts';
import type { Encryption } from '../keys/encryption.ts';
import type { Egress } from '../platform/egress.ts';
import { Refusal } from '../platform/errors.ts';
import { ServiceFailure } from '../tools/call-service.ts';
import { runForOutcome } from '../tools/outcome.ts';
import type { PdfReader } from '../files/pdf-reader.ts';
import type { Chosen, SourceTools, Tool, ToolSource } from '../tools/tool.ts';
import { countCall } from '../usage/side-calls.ts';
import { pluginCredentials } from './credentials.ts';
import { listSavedFields, readPluginValues } from './keys.ts';
import { PLUGINS } from './manifest.ts';
import type { ManifestField, ManifestPlugin, PluginContext, PluginTool } from './define-plugin.ts';
import { plannedEnd, presentEnd } from './plugins.ts';

export interface PluginDeps extends FileSaverDeps {
  egress: Egress;
  readPdf: PdfReader;
  encryption: Encryption;
}

const TIMEOUT_MS = 45_000;
const OUTPUT_CHARS = 32_000;

/** The plugins that are neither built-in tools nor only a document. */
export function createPluginSource(deps: PluginDeps): ToolSource {
  const offered = PLUGINS.filter(({ isBuiltin, document }) => !isBuiltin && document === undefined);
  return {
    name: 'plugin',
    async tools(chosen) {
      const plugins = offered.filter(({ key }) => chosen.keys.includes(key));
      const made = await Promise.all(plugins.map((plugin) => toolsOf(deps, plugin, chosen)));
      return { tools: made.flatMap(({ tools }) => tools), problems: made.flatMap(({ problems }) => problems) };
    },
    async list(userId) {
      const saved = await listSavedFields(deps.db, userId);
      return offered.map((plugin) => infoOf(deps.config, plugin, saved));
    },
  };
}

function infoOf(config: Config, plugin: ManifestPlugin, saved: ReadonlySet<string>): ToolInfo {
  const own = new Map([...saved].map((field) => [field, field]));
  const { missing } = pluginCredentials(plugin, own, config.plugins.fields);
  const info = { key: plugin.key, from: originOf(plugin), description: plugin.description };
  const ended = plannedEnd(config, plugin);
  if (ended !== null || missing.length === 0) return { ...info, ...presentEnd(ended) };
  return { ...info, unavailable: needing(missing), why: { type: 'values_missing', fields: missing.map(namesOf) } };
}

async function toolsOf(deps: PluginDeps, plugin: ManifestPlugin, chosen: Chosen): Promise<SourceTools> {
  const from = originOf(plugin);
  const names = plugin.fields.flatMap((field) => (field.isOptional ? [] : field.names));
  const own = await readPluginValues(deps.db, deps.encryption, chosen.userId, names);
  const { values, isOwnAddress, missing } = pluginCredentials(plugin, own, deps.config.plugins.fields);
  const problem = plannedEnd(deps.config, plugin)?.text ?? (missing.length > 0 ? needing(missing) : null);
  if (problem) return { tools: [], problems: [{ from, text: problem }] };
  const context = pluginContext(deps, plugin, chosen, { values, isOwnAddress });
  const tools = plugin.tools?.(context, deps.config.env) ?? [];
  return { tools: tools.map((tool) => asTool(tool, from)), problems: [] };
}

export function pluginContext(
  deps: PluginDeps,
  { name, fields }: ManifestPlugin,
  chosen: Chosen,
  { values, isOwnAddress }: { values: ReadonlyMap<string, string>; isOwnAddress: boolean },
): PluginContext {
  const { config, egress, readPdf } = deps;
  const isSavedAddress = fields.some(({ isAddress, names }) => isAddress && config.plugins.saved?.includes(names[0]));
  return {
    config: config.plugins,
    service: { name, secrets: [...values.values()], egress: isOwnAddress || isSavedAddress ? egress : null },
    valueOf: (field) => values.get(field) ?? '',
    egress,
    readPdf,
    chosen,
    async keepImage(userId, bytes, image) {
      try {
        const kept = await saveGeneratedImage(deps, { userId, bytes, ...image });
        await countPicture(deps, chosen, name);
        return kept;
      } catch (error) {
        throw error instanceof Refusal ? new ServiceFailure(whyNotSaved(error)) : error;
      }
    },
  };
}

/** What its service asks for a picture is known to nobody here. */
function countPicture({ db }: PluginDeps, { userId, convoId }: Chosen, plugin: string): Promise<void> {
  const usage = { input: 0, output: 0 };
  return countCall(db.query, { userId, convoId, kind: 'picture', endpoint: plugin, model: null, usage, credits: 0 });
}

function whyNotSaved(refusal: Refusal): string {
  if (scanProblem(refusal)) return 'The scanner of this server did not let the picture pass.';
  return refusal.reason.type === 'storage_full'
    ? 'There is no room left for the picture.'
    : 'The picture cannot be read.';
}

/** Only what may be repeated is called without asking: anything else costs money, or changes something elsewhere. */
function asTool({ run, timeoutMs = TIMEOUT_MS, ...tool }: PluginTool, from: Tool['from']): Tool {
  return {
    ...tool,
    kind: 'function',
    from,
    asks: tool.isRepeatable ? 'never' : 'first',
    ...(tool.name !== from.id && { does: tool.name }),
    limits: { timeoutMs, outputChars: OUTPUT_CHARS },
    run: (call) => runForOutcome(() => run(call)),
  };
}

function originOf({ key, name }: ManifestPlugin): Tool['from'] {
  return { source: 'plugin', id: key, label: name };
}

function needing(fields: readonly ManifestField[]): string {
  return `To use it, add: ${fields.map(({ label }) => label).join(', ')}.`;
}

function namesOf({ names, label }: ManifestField): { field: string; label: string } {
  return { field: names[0], label };
}

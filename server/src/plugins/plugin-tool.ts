import type { DeepReadonly } from '../config/freeze.ts';
import type { PluginField, PluginsConfig } from '../config/parts/plugins.ts';
import type { ImagePart } from '@parley/schema/messages/messages';
import type { Egress } from '../platform/egress.ts';
import type { Service } from '../tools/call-service.ts';
import type { PdfReader } from '../tools/web/read-pdf.ts';
import type { Chosen, Tool, ToolOutcome, ToolRun } from '../tools/tool.ts';

/** A tool of a plugin; the rest of a `Tool` follows from the plugin. */
export interface PluginTool extends Pick<Tool, 'name' | 'description' | 'parameters' | 'isRepeatable' | 'asksAbout'> {
  /** 45 s when absent: more than a service may take. */
  timeoutMs?: number;
  /**
   * Text is what the model gets.
   * @throws ServiceFailure
   */
  run(call: ToolRun): Promise<ToolOutcome | string>;
}

/** What a plugin works with, for one person and one reply. */
export interface PluginContext {
  config: DeepReadonly<PluginsConfig>;
  /** Its service, called through the egress guard where its address is the person's own. */
  service: Service;
  /** The value of a field of its manifest, by the field's first name; there is always one, unless it is optional. */
  valueOf(field: PluginField): string;
  egress: Egress;
  readPdf: PdfReader;
  chosen: Chosen;
  /** Keeps a picture among the person's files. @throws ServiceFailure when it is no picture, or there is no room */
  keepImage(userId: string, bytes: Uint8Array, image: { name: string; prompt: string }): Promise<ImagePart>;
}

export type CreatePluginTools = (context: PluginContext) => PluginTool[];

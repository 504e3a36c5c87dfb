// What the procedures of MCP servers take.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { MCP_TOOLS_MAX } from './mcp-servers.ts';

const ID_MAX = 64;

const Name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]+$/u);
export const McpUrl = z.url({ protocol: /^https?$/, error: 'The address must begin with https://' }).max(2048);
const Auth = z.enum(['none', 'header', 'oauth']);
export const McpHeader = z.object({
  name: z
    .string()
    .max(64)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'The header needs a valid name')
    .refine((name) => !/^(host|connection|content-.*|transfer-encoding|accept|mcp-.*|cookie)$/i.test(name), {
      error: 'This header cannot be set',
    }),
  value: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x20-\x7e]+$/, 'The header must be one line of ASCII characters'),
});

const ServerId = z.string().max(ID_MAX).overwrite(cleanText);

export const AddMcpServer = z.object({ name: Name, url: McpUrl, auth: Auth, header: McpHeader.optional() });
export type AddMcpServer = z.infer<typeof AddMcpServer>;

export const UpdateMcpServer = z.object({
  id: ServerId,
  name: Name.optional(),
  url: McpUrl.optional(),
  auth: Auth.optional(),
  header: McpHeader.optional(),
  isEnabled: z.boolean().optional(),
});
export type UpdateMcpServer = z.infer<typeof UpdateMcpServer>;

export const McpServerRef = z.object({ id: ServerId });

const ToolName = z.string().max(128).overwrite(cleanText);

export const SetMcpTools = z.object({ id: ServerId, tools: z.array(ToolName).max(MCP_TOOLS_MAX), isOn: z.boolean() });

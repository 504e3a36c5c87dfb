// Whether a server can be used, in words for people.
import type { Reason } from '@parley/schema/reasons';
import { MCP_TOOLS_OFFERED_MAX, type McpServer } from '@parley/schema/tools/mcp-servers';
import type { TFunction } from 'i18next';

export interface ServerState {
  tone: 'good' | 'quiet' | 'warning';
  text: string;
}

/** The person has not signed in, or has to do so again. */
export function needsSignIn({ auth, isEnabled, isSignedIn, reason }: McpServer): boolean {
  return isEnabled && auth === 'oauth' && (!isSignedIn || reason?.type === 'unauthorized');
}

/** Nobody knows yet whether it can be reached. */
export function isUntried(server: McpServer): boolean {
  return server.isEnabled && server.reason === null && server.tools.length === 0 && !needsSignIn(server);
}

export function describeState(server: McpServer, t: TFunction): ServerState {
  if (!server.isEnabled) return { tone: 'quiet', text: t('com_mcp_off') };
  if (needsSignIn(server)) return { tone: 'warning', text: t('com_mcp_needs_sign_in') };
  if (server.reason) return { tone: 'warning', text: describeFailure(server, server.reason, t) };
  if (isUntried(server)) return { tone: 'quiet', text: t('com_mcp_untried') };
  const count = server.tools.filter(({ isOn, isUnusable }) => isOn && !isUnusable).length;
  if (count > MCP_TOOLS_OFFERED_MAX)
    return { tone: 'good', text: t('com_mcp_past_offer', { 0: count, 1: MCP_TOOLS_OFFERED_MAX }) };
  return { tone: 'good', text: t('com_mcp_connected', { count: server.tools.length }) };
}

function describeFailure({ auth, url }: McpServer, reason: Reason, t: TFunction): string {
  switch (reason.type) {
    case 'unauthorized':
      return t(auth === 'header' ? 'com_mcp_header_refused' : 'com_mcp_needs_access');
    case 'forbidden_base_url':
      return t('com_mcp_forbidden');
    case 'answer_too_long':
      return t('com_mcp_too_long');
    case 'provider_malformed':
      return t(MALFORMED[reason.why ?? 'page']);
    case 'provider_stalled':
      return t('com_mcp_late', { count: reason.seconds });
    case 'provider_unavailable':
      if (reason.status !== null) return t(STATUS[reason.status] ?? sentenceFor(reason.status));
      return t(url === null ? 'com_mcp_program' : UNREACHABLE[reason.why ?? 'unknown']);
    default:
      return t('com_mcp_unusable');
  }
}

const MALFORMED = {
  page: 'com_mcp_page',
  version: 'com_mcp_version',
  not_mcp: 'com_mcp_foreign',
  error: 'com_mcp_error',
} as const;

const UNREACHABLE = {
  unknown: 'com_mcp_unreachable',
  no_host: 'com_mcp_no_host',
  bad_certificate: 'com_mcp_bad_certificate',
  no_tls: 'com_mcp_no_tls',
} as const;

const STATUS: Readonly<Record<number, 'com_mcp_refuses' | 'com_mcp_nothing_there' | 'com_mcp_busy'>> = {
  403: 'com_mcp_refuses',
  404: 'com_mcp_nothing_there',
  429: 'com_mcp_busy',
};

function sentenceFor(status: number): 'com_mcp_faulty' | 'com_mcp_moved' | 'com_mcp_foreign' {
  if (status >= 500) return 'com_mcp_faulty';
  return status < 400 ? 'com_mcp_moved' : 'com_mcp_foreign';
}

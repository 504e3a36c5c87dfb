// Whether a provider runs on a server of the operator's own, where a token costs nothing.
import { isIP } from 'node:net';
import { PROVIDER_KINDS } from '@parley/schema/catalog/provider-kinds';
import { isPublic } from '../../platform/egress.ts';
import { knownProviderOf } from './known-providers.ts';

/** What people run by themselves; a provider that is called after one of them is one. */
const LOCAL_KINDS = /^(?:ollama|lm[ _-]?studio|vllm|llama[ ._-]?cpp|llamafile|local[ _-]?ai|koboldcpp)(?![a-z])/i;
/** Sells the models of the program of its name. */
const SELLERS = ['ollama.com'];

/**
 * By its address, which is not public, or by its name. A hosted provider is none, also where it is called through an
 * address of one's own network.
 */
export function isLocalServer(name: string, url: string): boolean {
  const { hostname } = new URL(url);
  if (isHosted(name, url) || SELLERS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return false;
  return isPrivateHost(hostname) || LOCAL_KINDS.test(name.trim());
}

/** Names that only a private network knows: those without a dot, such as a container's, and those that are reserved for it. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

function isPrivateHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(literal) === 0 ? PRIVATE_NAME.test(hostname.replace(/\.$/, '')) : !isPublic(literal);
}

function isHosted(name: string, url: string): boolean {
  const called = name.trim().toLowerCase();
  const isKind = PROVIDER_KINDS.some(({ label, needsKey }) => needsKey && label.toLowerCase() === called);
  return isKind || (knownProviderOf(name, url)?.host ?? null) !== null;
}

// The endpoints that follow what administrators save, without a restart: each change makes a new list, and an answer
// that runs keeps the endpoint it began with.
import { isDeepStrictEqual } from 'node:util';
import { isConfigError } from '../../config/config-error.ts';
import type { Config, Offer } from '../../config/config.ts';
import type { ConfiguredEndpoint } from '../../providers/define-provider.ts';
import type { Demo } from '../../providers/demo/demo.ts';
import type { EndpointDeps } from '../../providers/endpoint.ts';
import type { Ollama } from '../../providers/ollama/ollama.ts';
import type { SavedProvider } from '../../providers/saved/saved-provider.ts';
import type { Egress } from '../../platform/egress.ts';
import type { LiveSettings } from './follow-saved.ts';
import type { ModelAccess } from '../access/model-access.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import type { Endpoint, Endpoints, Offered } from '../endpoint.ts';
import { refuse } from '../../platform/errors.ts';
import type { KnownRefusals } from '../../providers/compatible/refusals.ts';
import { createEndpoints, offersNothing, type ListDeps } from '../registry.ts';

export interface LiveEndpoints extends Endpoints {
  /** Grows with each change of what is offered to this person. */
  version(userId: string): number;
  /** Reads what is saved; afterwards it is offered. Never rejects: what cannot be read stays as it was. */
  reload(): Promise<void>;
  /** What these values would offer; null where something else has the place of this provider. */
  preview(saved: SavedProvider): Promise<Endpoint | null>;
}

export interface OfferServices {
  endpoints: LiveEndpoints;
  /** Who may use which models. */
  access: ModelAccess;
  /** The prices of one's own. */
  prices: ModelPrices;
  /** What administrators set of tools. */
  toolSettings: LiveSettings;
  /** What servers of providers have refused. */
  refusals: KnownRefusals;
  /** Calls addresses that people choose, with the operator's exemptions. */
  egress: Egress;
}

export interface LiveParts {
  config: Pick<Config, 'offer' | 'files'>;
  /** Opens the demo; null where something is configured. Called while nothing is offered. */
  openDemo: (() => Promise<Demo>) | null;
  ollama: Ollama | null;
  deps: EndpointDeps & ListDeps;
  /** The providers that administrators added and that are on, in the order of the menu. */
  read: () => Promise<readonly SavedProvider[]>;
  /** What administrators switch off beside their providers, and how often that has changed. */
  switches: Pick<LiveSettings, 'offTypes' | 'version'>;
  onChanged: () => void;
  onFault: (error: unknown) => void;
}

const SWITCHED_OFF = 'an administrator has switched it off';

/** Already with what is saved. */
export async function createLiveEndpoints(parts: LiveParts): Promise<LiveEndpoints> {
  const { config, openDemo, ollama, deps, read, switches, onChanged, onFault } = parts;
  const made = new WeakMap<object, Endpoint>();
  let saved = await read();
  let current = await listOf(saved, []);
  let version = 0;
  let reloading = Promise.resolve();
  return {
    list: () => current.endpoints.filter(({ type }) => !switches.offTypes.includes(type)),
    assert(name) {
      const endpoint = current.endpoints.find((one) => one.name === name);
      return endpoint && !switches.offTypes.includes(endpoint.type)
        ? endpoint
        : refuse({ type: 'not_found', what: 'endpoint' });
    },
    providers: () =>
      current.providers.map((one) =>
        switches.offTypes.includes(one.type) ? { ...one, endpoints: [], disabledReason: SWITCHED_OFF } : one,
      ),
    modelSpecs: () => current.modelSpecs,
    restPaths: () => current.restPaths,
    version: (userId) => version + switches.version + (deps.access?.version(userId) ?? 0),
    reload: () => (reloading = reloading.then(look).catch(onFault)),
    async preview(one) {
      const { providers } = await config.offer([one]);
      const isIt = (endpoint: ConfiguredEndpoint) => endpoint.isSaved && endpoint.name === one.name;
      if (!providers.some(({ endpoints }) => endpoints.some(isIt))) return null;
      const alone = createEndpoints(
        { providers: providers.filter(({ type }) => type === one.type), modelSpecs: null, files: config.files },
        { demo: null, ollama: null },
        deps,
      );
      return alone.endpoints.find(({ name }) => name === one.name) ?? null;
    },
  };

  async function look(): Promise<void> {
    const now = await read();
    if (isDeepStrictEqual(now, saved)) return;
    const before = current.providers.flatMap(({ endpoints }) => endpoints);
    current = await listOf(now, before);
    saved = now;
    version++;
    onChanged();
  }

  async function listOf(ones: readonly SavedProvider[], before: readonly ConfiguredEndpoint[]): Promise<Offered> {
    const offer = withBefore(await offerOf(ones), before);
    const demo = openDemo && !ollama && offersNothing(offer) ? await openDemo() : null;
    return createEndpoints({ ...offer, files: config.files }, { demo, ollama }, deps, made);
  }

  /** Leaves out what does not fit together with the environment: the page says so. */
  async function offerOf(ones: readonly SavedProvider[]): Promise<Offer> {
    try {
      return await config.offer(ones);
    } catch (error) {
      if (!isConfigError(error)) throw error;
      deps.onNotice(`A provider that an administrator added is left out: ${error.message}`);
      const fits = await Promise.all(
        ones.map((one) =>
          config.offer([one]).then(
            () => true,
            () => false,
          ),
        ),
      );
      return config.offer(ones.filter((_, index) => fits[index]));
    }
  }
}

/** Endpoints whose configuration has not changed stay the same objects, and so keep their models. */
function withBefore(offer: Offer, before: readonly ConfiguredEndpoint[]): Offer {
  const same = (now: ConfiguredEndpoint) =>
    before.find((one) => one.name === now.name && one.isSaved && isDeepStrictEqual(one.entry, now.entry)) ?? now;
  const providers = offer.providers.map((provider) =>
    provider.endpoints.some(({ isSaved }) => isSaved)
      ? { ...provider, endpoints: provider.endpoints.map((one) => (one.isSaved ? same(one) : one)) }
      : provider,
  );
  return { ...offer, providers };
}

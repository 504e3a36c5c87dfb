// The two ends of a sign-in elsewhere: setting out to the provider, and coming back from it.
import { generateCodeVerifier, generateState } from 'arctic';
import type { SocialProvider } from '../../config/social.ts';
import type { Deps } from '../../deps.ts';
import { refuse } from '../../errors.ts';
import type { Http } from '../../trpc.ts';
import { countSignInOfAddress } from '../attempts.ts';
import { fail } from './call.ts';
import { isSameState, setJourney, takeJourney } from './journey.ts';
import type { Provider } from './provider.ts';
import { createProvider } from './providers.ts';
import { signInElsewhere } from './sign-in.ts';

export interface Travel {
  /** Where the browser goes now. */
  setOut(http: Http): Promise<string>;
  /** Leaves its session with the browser. Gives the path in the app to go to. */
  comeBack(http: Http, query: URLSearchParams): Promise<string>;
}

/** Both throw ProviderFault and Refusal. */
export function createTravel(deps: Deps, name: SocialProvider): Travel {
  const provider = createProvider(name, deps.config) ?? fail(`${name} is switched off`);
  const { refreshSecret } = deps.secrets;
  return {
    async setOut(http) {
      await countSignInOfAddress(deps, http);
      const journey = {
        provider: name,
        state: generateState(),
        verifier: generateCodeVerifier(),
        nonce: generateState(),
      };
      const url = await provider.start(journey);
      await setJourney(http, refreshSecret, journey);
      return url.href;
    },
    async comeBack(http, query) {
      const journey = await takeJourney(http, refreshSecret);
      await countSignInOfAddress(deps, http);
      if (journey?.provider !== name || !isSameState(journey.state, query.get('state') ?? ''))
        return refuse({ type: 'social_login', why: 'expired' });
      const arrival = { code: codeIn(query), issuer: query.get('iss') };
      const person = await provider.identify(arrival, journey);
      const identity = identityOf(provider, person.subject);
      return signInElsewhere(deps, http, { name, identity, person });
    },
  };
}

function identityOf({ realm }: Provider, subject: string) {
  return { provider: realm, subject };
}

/** Or why there is none: the person's own no is nobody's fault. */
function codeIn(query: URLSearchParams): string {
  if (query.get('error') === 'access_denied') refuse({ type: 'social_login', why: 'cancelled' });
  return query.get('code') || fail('the browser brings no code');
}

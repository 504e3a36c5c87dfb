// A separate module, because the bundler exposes no named exports of a lazily imported CommonJS package.
export { Agent, EnvHttpProxyAgent, fetch, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';

// Apart from who uses it, because of a CommonJS package that is imported lazily the bundle knows no names.
export { Agent, EnvHttpProxyAgent, fetch, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

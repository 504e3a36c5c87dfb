// The benches of the page.
export { benchArtifacts } from './artifacts.ts';
export { benchColumns } from './columns.ts';
export { benchPage } from './first-load.ts';
export { benchReading } from './growing-reply.ts';
export { benchLong } from './long-chats.ts';

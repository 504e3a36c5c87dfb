import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';

export function mountRest(_hono: Hono<{ Bindings: HttpBindings }>, _deps: Deps): void {}

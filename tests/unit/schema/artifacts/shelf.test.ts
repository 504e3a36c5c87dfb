// The libraries that programs of answers may use: how they are named, found and told of.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { kindOfCode } from '@parley/schema/artifacts/artifact-kind';
import { nameOfSpecifier, otherVersion, shelfModule } from '@parley/schema/artifacts/shelf/addresses';
import { findLibraries } from '@parley/schema/artifacts/shelf/find-libraries';
import {
  PART_NAMES,
  SHELF,
  SHELF_FOR_MODELS,
  UI_COMPONENTS,
  withNeeds,
} from '@parley/schema/artifacts/shelf/libraries';
import { expect, it } from 'vitest';

const require = createRequire(new URL('../../../../web/package.json', import.meta.url));

it.each([
  ['https://cdn.tailwindcss.com', 'tailwind'],
  ['https://cdn.tailwindcss.com/3.4.1?plugins=forms,typography', 'tailwind'],
  ['https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4', 'tailwind'],
  ['https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css', 'tailwind'],
  ['https://cdn.jsdelivr.net/npm/chart.js', 'chart.js'],
  ['https://cdn.jsdelivr.net/npm/chart.js@4.4.1/dist/chart.umd.min.js', 'chart.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/Chart.js/3.9.1/chart.min.js', 'chart.js'],
  ['chart.js/auto', 'chart.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js', 'three'],
  ['https://unpkg.com/three@0.160.0/build/three.module.js', 'three'],
  ['https://esm.sh/three@0.164.1', 'three'],
  ['https://unpkg.com/three@0.160.0/examples/jsm/controls/OrbitControls.js', 'three/addons/controls/OrbitControls.js'],
  [
    'https://cdn.jsdelivr.net/npm/three@0.128/examples/js/controls/OrbitControls.js',
    'three/addons/controls/OrbitControls.js',
  ],
  ['three/examples/jsm/controls/OrbitControls', 'three/addons/controls/OrbitControls.js'],
  ['https://d3js.org/d3.v7.min.js', 'd3'],
  ['https://cdn.jsdelivr.net/npm/d3@7/+esm', 'd3'],
  ['https://cdn.skypack.dev/d3-array@3', 'd3'],
  ['https://esm.run/d3', 'd3'],
  ['//unpkg.com/p5@1.9.0/lib/p5.js', 'p5'],
  ['https://cdnjs.cloudflare.com/ajax/libs/PapaParse/5.4.1/papaparse.min.js', 'papaparse'],
  ['https://esm.sh/react@18.2.0?dev', 'react'],
  ['https://esm.sh/v135/react-dom@18.2.0/client', 'react-dom/client'],
  ['https://esm.sh/stable/react@18/jsx-runtime', 'react/jsx-runtime'],
  ['https://unpkg.com/@babel/standalone/babel.min.js', 'sucrase'],
  ['https://unpkg.com/lucide@latest', 'lucide'],
  ['lucide-react', 'lucide-react'],
  ['https://cdn.jsdelivr.net/npm/mermaid@10/dist/mermaid.esm.min.mjs', 'mermaid'],
  ['@/components/ui/button', '@/components/ui/button'],
  ['@/components/ui/dropdown-menu.tsx', '@/components/ui/dropdown-menu'],
  ['@/lib/utils', '@/lib/utils'],
  ['clsx', 'clsx'],
])('%s is the module %s of the shelf', (specifier, module) => {
  expect(shelfModule(specifier)?.module).toBe(module);
});

it.each([
  ['https://code.jquery.com/jquery-3.6.0.min.js', 'jquery'],
  ['https://maxcdn.bootstrapcdn.com/bootstrap/4.0.0/css/bootstrap.min.css', 'bootstrap'],
  ['https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.4.0/css/all.min.css', 'font-awesome'],
  ['https://cdn.plot.ly/plotly-2.27.0.min.js', 'plotly'],
  ['https://esm.sh/@react-three/fiber@8', '@react-three/fiber'],
  ['https://cdn.jsdelivr.net/npm/d3-sankey@0.12', 'd3-sankey'],
  ['lodash/debounce', 'lodash'],
  ['@/components/ui/frobnicator', '@/components/ui/frobnicator'],
  ['@/lib/db', '@/lib/db'],
  ['constructor', 'constructor'],
])('%s is not on the shelf and is called %s', (specifier, name) => {
  expect(shelfModule(specifier)).toBeNull();
  expect(nameOfSpecifier(specifier)).toBe(name);
});

it('an address that asks for another major version is told, others are not', () => {
  expect(otherVersion('https://cdn.jsdelivr.net/npm/chart.js@3')).toEqual({ title: 'Chart.js', asked: '3', here: '4' });
  expect(otherVersion('https://d3js.org/d3.v5.min.js')).toMatchObject({ asked: '5', here: '7' });
  for (const same of ['https://cdn.jsdelivr.net/npm/chart.js', 'https://unpkg.com/three@0.150.0', 'chart.js'])
    expect(otherVersion(same), same).toBeNull();
});

it('the card of a page names what it asks for and what is not there', () => {
  const page = `<link href="https://fonts.googleapis.com/css2?family=Inter" rel="stylesheet">
    <script src="https://cdn.jsdelivr.net/npm/chart.js@2.9.4"></script><script src=https://code.jquery.com/jquery.js></script>
    <script src="https://example.com/own.js"></script>
    <script type="importmap">{"imports":{"three":"https://unpkg.com/three@0.150/build/three.module.js",
      "three/addons/":"https://unpkg.com/three@0.150/examples/jsm/","gsap":"https://esm.sh/gsap"}}</script>
    <script type="module">
    import * as THREE from 'three';
    import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
    import gsap from 'gsap';
    const confetti = await import('https://esm.sh/canvas-confetti@1');
    </script><p>All text from "nowhere" stays text.</p>`;
  expect(findLibraries('html', page)).toEqual({
    missing: ['jquery', 'gsap', 'canvas-confetti'],
    others: [{ title: 'Chart.js', asked: '2', here: '4' }],
  });
});

it('the card of an app names imports that are not there, also those of an unknown path', () => {
  const app = (imports: string) => `${imports}\nexport default function App() { return null }`;
  const own = app(
    'import { query } from "@/lib/db";\nimport {\n  Button,\n} from "@/components/ui/button"\nimport _ from "lodash"',
  );
  expect(kindOfCode('tsx', own), 'it is a card').toBe('react');
  expect(findLibraries('react', own).missing).toEqual(['@/lib/db', 'lodash']);
  expect(kindOfCode('tsx', app('import { a } from "./a"')), 'a part of a larger program').toBeNull();
  expect(
    findLibraries('react', app("import React from 'react';\nimport { Menu } from 'lucide-react';")).missing,
  ).toEqual([]);
  expect(findLibraries('markdown', 'import "lodash"').missing).toEqual([]);
});

it('hostile sources are read in linear work', () => {
  for (const piece of ['<script ', '<script src=', 'import("', 'import ', '<link href="', '@/', 'from "a'])
    expect(findLibraries('html', piece.repeat(50_000)).missing.length).toBeLessThan(60_000);
});

it('the versions of the table are those that are installed', () => {
  for (const part of PART_NAMES) {
    const { version, packages } = SHELF[part];
    if (version === '') continue;
    const name = part === 'tailwind' ? '@tailwindcss/browser' : (packages[0] ?? '');
    const file = join(require.resolve.paths(name)?.[0] ?? '', '../../node_modules', name, 'package.json');
    const installed = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect(`${installed.version}.`, part).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}\\.`));
  }
});

it('a model is told of every library in two lines', () => {
  expect(SHELF_FOR_MODELS.split('\n')).toHaveLength(2);
  for (const part of PART_NAMES) expect(SHELF_FOR_MODELS).toContain(SHELF[part].title);
});

it('a part is loaded after those that it needs', () => {
  expect(withNeeds(['ui', 'recharts'])).toEqual(['react', 'tailwind', 'ui', 'recharts']);
  expect(UI_COMPONENTS.length).toBeGreaterThan(20);
});

/** The example histories in the doc comments of the ready-made specs are linearizable. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check } from '../check/check.js';
import { sketch } from '../history/drawing/sketch.js';
import { objects, syncObjects } from './registry.js';

const FOLDERS = ['cells', 'collections', 'locks', 'rendezvous'];
const EXAMPLE = /@example\n((?: \* .*\n)+) \*\/\nexport function (\w+)/g;

const examples = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => {
      const source = readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8');
      return [...source.matchAll(EXAMPLE)].map(([, drawing, factory]) => ({
        name: factory.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        drawing: drawing.replaceAll(' * ', ''),
      }));
    }),
);

test('every spec has an example', () => {
  const names = [...Object.keys(objects), ...Object.keys(syncObjects)];
  expect(examples.map(({ name }) => name).sort()).toEqual(names.sort());
});

test.each(examples)('the example of $name is linearizable', ({ name, drawing }) => {
  const spec = Object.hasOwn(objects, name) ? objects[name]({}) : syncObjects[name]({});
  expect(check(sketch(drawing), spec).kind).toBe('linearizable');
});

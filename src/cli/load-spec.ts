/**
 * `--spec`: a ready-made object by name, a module of the user's by path, or
 * several by object: `orders=queue,stock=./stock.spec.ts`.
 */
import type { SpecOf } from '../check/index.js';
import { FormatError } from '../formats/index.js';
import { type ObjectOptions, objects } from '../objects/index.js';
import type { Spec } from '../spec/index.js';
import { loadModule } from './load-module.js';
import { parsePairs } from './parse-flags.js';
import { UsageError } from './usage-error.js';

export interface LoadedSpecs {
  /** For reports: the name of the spec, or of each object's. */
  readonly name: string;
  readonly specOf: SpecOf;
  /** The objects that are named; only undefined where one spec is for all. */
  readonly objects: readonly (string | undefined)[];
}

export async function loadSpecs(text: string, options: ObjectOptions): Promise<LoadedSpecs> {
  if (!text.includes('=')) {
    const spec = await loadSpec(text, options);
    return { name: spec.name, specOf: () => spec, objects: [undefined] };
  }
  const specs = new Map<string, Spec>();
  for (const [object, own] of parsePairs(text)) specs.set(object, await loadSpec(own, options));
  return {
    name: Array.from(specs, ([object, spec]) => `${object}=${spec.name}`).join(','),
    objects: [...specs.keys()],
    specOf: (object) => {
      const spec = specs.get(object ?? '');
      if (spec) return spec;
      const what = object === undefined ? 'operations without "object"' : `object ${JSON.stringify(object)}`;
      throw new FormatError(`the history has ${what}, but --spec names only ${[...specs.keys()].join(', ')}`);
    },
  };
}

/** For the members of a crew. */
export async function specs({ spec, options }: { spec: string; options: ObjectOptions }): Promise<SpecOf> {
  return (await loadSpecs(spec, options)).specOf;
}

async function loadSpec(name: string, options: ObjectOptions): Promise<Spec> {
  if (Object.hasOwn(objects, name)) {
    try {
      return objects[name](options);
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
  if (!/[./\\]/.test(name))
    throw new UsageError(
      `there is no ready-made spec ${JSON.stringify(name)}; there are ${Object.keys(objects).join(', ')}. A spec of your own is given by its path: --spec ./my.spec.ts`,
    );
  const given = Object.keys(options);
  if (given.length > 0) throw new UsageError(`--${given[0]} is for ready-made specs; ${name} is a module`);
  const spec = await loadModule(name, 'spec');
  if (!isSpec(spec))
    throw new UsageError(
      `the default export of ${name} is no spec; expected { name, initial, methods } (docs/writing-a-spec.md)`,
    );
  return spec;
}

function isSpec(value: unknown): value is Spec {
  if (typeof value !== 'object' || value === null) return false;
  const { name, methods } = value as Partial<Spec>;
  return (
    typeof name === 'string' &&
    'initial' in value &&
    typeof methods === 'object' &&
    methods !== null &&
    Object.values(methods).every((method) => typeof method === 'function')
  );
}

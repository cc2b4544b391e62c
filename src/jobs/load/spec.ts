/** Loads `--spec`: a ready-made object by name, a module by path, or several by object: `orders=queue,stock=./stock.spec.ts`. */
import { existsSync } from 'node:fs';
import { closestName } from '../../base/errors.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import { parsePairs, UsageError } from '../../config/usage-error.js';
import { FormatError } from '../../formats/common/reader.js';
import { type ObjectOptions, objects, syncObjects } from '../../objects/registry.js';
import { type AnySpec, problemInSpec } from '../../spec/rendezvous/sync-spec.js';

export interface LoadedSpecs {
  /** For reports: the name of the spec, or of the spec of each object. */
  readonly name: string;
  readonly specOf: AnySpecOf;
  /** The objects that `--spec` names; undefined for one spec of all objects. */
  readonly objects: readonly (string | undefined)[];
}

export async function loadSpecs(text: string, options: ObjectOptions): Promise<LoadedSpecs> {
  if (!text.includes('=')) {
    const spec = await loadSpec(text, options);
    return { name: spec.name, specOf: () => spec, objects: [undefined] };
  }
  const specs = new Map<string, AnySpec>();
  for (const [object, own] of parsePairs(text)) {
    if (specs.has(object))
      throw new UsageError(`--spec names ${JSON.stringify(object)} twice; an object has one spec`);
    specs.set(object, await loadSpec(own, options));
  }
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

/** For search helpers. */
export async function specs({ spec, options }: { spec: string; options: ObjectOptions }): Promise<AnySpecOf> {
  return (await loadSpecs(spec, options)).specOf;
}

async function loadSpec(name: string, options: ObjectOptions): Promise<AnySpec> {
  const create = readyMade(name);
  if (create) {
    try {
      return create(options);
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
  if (name.includes(',') && !existsSync(name))
    throw new UsageError(
      `${JSON.stringify(name)} is not a spec; name the object of each: --spec orders=queue,stock=map`,
    );
  if (!/[./\\]/.test(name)) {
    const near = closestName(name, READY_MADE);
    throw new UsageError(
      `unknown spec ${JSON.stringify(name)}; ${near === undefined ? 'expected' : `did you mean ${near}? Expected`} ${READY_MADE.join(', ')}, or the path of a module: --spec ./my.spec.ts`,
    );
  }
  const given = Object.keys(options);
  if (given.length > 0) throw new UsageError(`--${given[0]} is for ready-made specs; ${name} is a module`);
  // ready-made objects do not need the TypeScript loader, which takes long to load
  const { loadModule } = await import('../../config/load-module.js');
  const spec = await loadModule(name, 'spec');
  const missing = problemInSpec(spec);
  if (missing !== undefined)
    throw new UsageError(
      `the default export of ${name} is not a spec: ${missing}; expected { name, initial, methods } (node_modules/straightedge/docs/guide/writing-a-spec.md) or { name, initial, rendezvous } (node_modules/straightedge/docs/guide/rendezvous.md)`,
    );
  return spec as AnySpec;
}

/** The names of the ready-made objects. */
const READY_MADE: readonly string[] = [...Object.keys(objects), ...Object.keys(syncObjects)];

function readyMade(name: string): ((options: ObjectOptions) => AnySpec) | undefined {
  if (Object.hasOwn(objects, name)) return objects[name];
  return Object.hasOwn(syncObjects, name) ? syncObjects[name] : undefined;
}

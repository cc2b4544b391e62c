/**
 * What the constructor of an object gets from a kit: numbers by the names of the parameters, or of the fields of options, and
 * functions. A number of the kit that no parameter takes is a field of the adapter to fill in: what the object uses instead.
 */
import type { ExportedObject, Types } from './exported-objects.js';
import type { Parameter, Syntax } from './parameters.js';
import { fieldsOfType, type Samples, UNKNOWN_VALUE } from './sample-values.js';

/** What a kit gives to `create`: a function, then a number, or several in an object. */
export interface KitValues {
  readonly functions?: string;
  readonly numbers?: readonly string[];
}

/** The names of parameters that take a number of a kit. */
const NAMES: Readonly<Record<string, RegExp>> = {
  permits: /permit|count|max|limit|size|capacity|concurren|slots|^n$/i,
  limit: /limit|max|count|amount|tokens|requests|calls|points|burst|^n$/i,
  interval: /interval|window|period|duration|time|per|ms$/i,
  concurrency: /concurren|parallel|max|limit|size|workers|^n$/i,
  capacity: /capacity|max|size|limit|bound|^n$/i,
  max: /max|size|limit|capacity|^n$/i,
  parties: /part|count|size|threads|^n$/i,
  count: /count|initial|parties|^n$/i,
  threshold: /threshold|failures|max|limit/i,
  reset: /reset|time|cool|ms$/i,
};
/** Without these, the objects of the kit have no bound, or one that the kit knows. */
const UNNEEDED: ReadonlySet<string> = new Set(['capacity', 'max', 'threshold', 'reset']);

/** Is a parameter a function, by its type or by its name? */
export const isFunction = (name: string, type: Syntax | undefined): boolean =>
  type?.type === 'TSFunctionType' || /^(fn|func|function_?|task|job|callback)$/i.test(name);

const isNumber = (type: Syntax | undefined): boolean => type === undefined || type.type === 'TSNumberKeyword';

/** `create`, and the numbers to fill in. */
export function createFields(
  { numbers = [], functions }: KitValues,
  { maker, allParameters, types }: ExportedObject,
  samples: Samples,
): string[] {
  const values = new Values(numbers, functions, types, samples);
  // names decide before the only number that is left is taken by the only parameter that is left
  const texts = allParameters.map((one) => values.named(one));
  const open = allParameters.filter((one, i) => texts[i] === undefined && isNumber(one.type));
  if (open.length === 1 && values.free.length === 1 && (open[0].type || !open[0].isOptional))
    texts[allParameters.indexOf(open[0])] = values.takeOnly();
  const last = texts.findLastIndex((text, i) => text !== undefined || !allParameters[i].isOptional);
  const args = allParameters
    .slice(0, last + 1)
    .map(({ type, isOptional }, i) => texts[i] ?? (isOptional ? 'undefined' : samples.of(type, types)));
  return [
    `create: (${parametersOf(values.used, numbers, functions)}) => ${maker}(${args.join(', ')})`,
    // what the object uses instead
    ...values.free.filter((name) => !UNNEEDED.has(name)).map((name) => `${name}: 1 ${UNKNOWN_VALUE}`),
  ];
}

/** The parameters of `create`. One that is not used has an underscore if another follows. */
function parametersOf(used: ReadonlySet<string>, numbers: readonly string[], functions = ''): string {
  const own = numbers.filter((name) => used.has(name));
  const second = numbers.length > 1 ? `{ ${own.join(', ')} }` : own.join('');
  const first = functions.replace(/\..*/, '');
  const hasFirst = used.has(functions);
  if (own.length === 0) return hasFirst ? first : '';
  if (functions === '') return second;
  return `${hasFirst ? '' : '_'}${first}, ${second}`;
}

class Values {
  /** What a parameter has taken. */
  readonly used: Set<string> = new Set();
  readonly #numbers: readonly string[];
  readonly #functions: string | undefined;
  readonly #types: Types;
  readonly #samples: Samples;

  constructor(numbers: readonly string[], functions: string | undefined, types: Types, samples: Samples) {
    this.#numbers = numbers;
    this.#functions = functions;
    this.#types = types;
    this.#samples = samples;
  }

  /** The numbers that no parameter has taken. */
  get free(): string[] {
    return this.#numbers.filter((name) => !this.used.has(name));
  }

  takeOnly(): string {
    const [name] = this.free;
    this.used.add(name);
    return name;
  }

  /** The value of a parameter, or of a field of options, by its name; undefined if none fits. */
  named({ name, type }: Parameter): string | undefined {
    if (isFunction(name, type)) {
      if (this.#functions === undefined || this.used.has(this.#functions)) return undefined;
      this.used.add(this.#functions);
      return this.#functions;
    }
    const fields = fieldsOfType(type, this.#types);
    if (fields !== undefined) return this.#object(fields);
    const isOpaque = type === undefined || type.type === 'TSTypeReference';
    if (isOpaque && /^(options|opts|config|settings)$/i.test(name) && this.free.length > 0) {
      // perhaps the fields have other names
      const { free } = this;
      for (const one of free) this.used.add(one);
      return `{ ${free.join(', ')} } ${UNKNOWN_VALUE}`;
    }
    if (!isNumber(type)) return undefined;
    const found = this.free.find((one) => one === name) ?? this.free.find((one) => NAMES[one]?.test(name));
    if (found !== undefined) this.used.add(found);
    return found;
  }

  /** Options: what the kit gives, and samples of what else they need. */
  #object(fields: readonly Parameter[]): string | undefined {
    const given = new Map(fields.map((field) => [field.name, this.named(field)]));
    if ([...given.values()].every((value) => value === undefined)) return undefined;
    const texts = fields.flatMap(({ name, type, isOptional }) => {
      const value = given.get(name) ?? (isOptional ? undefined : this.#samples.of(type, this.#types));
      return value === undefined ? [] : [value === name ? name : `${name}: ${value}`];
    });
    return `{ ${texts.join(', ')} }`;
  }
}

/**
 * `create` of a first scenario, and stubs for what the object is given that answers with promises.
 *
 * Stubs that always answer the same show no lost change. So a method that reads and one that writes the same thing, by their
 * names and parameters, share a store: `get(key)` and `set(key, value)`, `loadUser(id)` and `saveUser(user)`.
 */
import type { ExportedObject, Method } from './exported-objects.js';
import { fieldsOfType, methodsOfType, partsOf, type Samples, typeOf } from './sample-values.js';

const READS = /^(get|read|load|find|fetch|lookup|select|query)/i;
const WRITES = /^(set|put|save|write|store|update|upsert|insert)/i;
const REMOVES = /^(delete|del|remove|unset|clear|drop)/i;
/** What a method is about: `loadUserById` and `saveUser` are about a user. */
const topicOf = (name: string, verb: RegExp): string => name.replace(verb, '').replace(/By[A-Z]\w*$/, '');

export function createText(
  { name: className, maker, parameters, types }: ExportedObject,
  samples: Samples,
): { readonly store: string; readonly create: string } {
  let stubs: ReadonlyMap<string, string> | undefined;
  let type = '';
  const args = parameters.map((parameter, i) => {
    const own = methodsOfType(typeOf(parameter), types);
    const { name = 'ask' } = parameter as { name?: string };
    if (!own || own.length === 0 || !own.every((method) => method.isAsynchronous) || stubs)
      return samples.of(typeOf(parameter), types);
    const isFunction = own.length === 1 && own[0].name === '';
    stubs = isFunction ? new Map([[name, `async () => ${samples.answerOf(own[0])}`]]) : stubsOf(own, samples);
    const made = /^new (\w+)$/.test(maker)
      ? `ConstructorParameters<typeof ${className}>`
      : `Parameters<typeof ${maker}>`;
    if (!isFunction && samples.isTyped) type = ` satisfies ${made}[${i}]`;
    return isFunction ? `stubs.${name}` : 'stubs';
  });
  const made = `${maker}(${args.join(', ')})`;
  if (!stubs) return { store: '', create: `  // a new object for every run\n  create: () => ${made},\n` };
  const lines = Array.from(stubs, ([name, text]) => `    ${name}: ${text},\n`).join('');
  const hasStore = lines.includes('stored.');
  const advice = hasStore
    ? ''
    : '\n  // Give them a state, and reset it in create: if they always answer the same, no lost change shows';
  return {
    store: hasStore ? '/** What the stubs have stored. */\nconst stored = new Map();\n\n' : '',
    create: `  // stand for something outside: they answer late, in any order, or fail.${advice}
  stubs: {
${lines}  }${hasStore ? type : ''},
  // at most one call of a stub fails in a run
  failures: 1,
  // a new object for every run
  create: (stubs) => ${hasStore ? `{\n    stored.clear();\n    return ${made};\n  }` : made},
`,
  };
}

/** The stubs of an object, by name. */
function stubsOf(methods: readonly Method[], samples: Samples): ReadonlyMap<string, string> {
  const stubs = new Map(methods.map((method) => [method.name, `async () => ${samples.answerOf(method)}`]));
  const readers = methods.filter(({ name, parameters }) => READS.test(name) && parameters.length <= 1);
  const topics = new Set<string>();
  for (const reader of readers) {
    const topic = topicOf(reader.name, READS);
    const isAbout = (verb: RegExp, method: Method): boolean =>
      verb.test(method.name) && topicOf(method.name, verb) === topic;
    const writer = methods.find((method) => isAbout(WRITES, method) && writtenParts(reader, method));
    const parts = writer && writtenParts(reader, writer);
    if (!parts || topics.has(topic)) continue;
    topics.add(topic);
    const keys = reader.parameters.length > 0 ? 'key' : '';
    const missing = missingValue(reader, samples);
    // like a database, the store has values of its own
    const copyOf = isPrimitive(reader)
      ? (text: string) => text
      : (text: string) => `structuredClone(${text})`;
    stubs.set(reader.name, `async (${keys}) => ${copyOf(`stored.get(${keyOf(topic, keys)})`)}${missing}`);
    stubs.set(
      writer.name,
      `async (${parts.parameters}) => ${changes(`stored.set(${keyOf(topic, parts.key)}, ${copyOf('value')})`, writer, samples)}`,
    );
    for (const remover of methods)
      if (isAbout(REMOVES, remover) && remover.parameters.length === reader.parameters.length)
        stubs.set(
          remover.name,
          `async (${keys}) => ${changes(`stored.delete(${keyOf(topic, keys)})`, remover, samples)}`,
        );
  }
  return stubs;
}

/** Where the store has it: several things in one store have keys of their own. */
const keyOf = (topic: string, key: string): string =>
  key === '' ? `'${topic || 'value'}'` : topic === '' ? key : `\`${topic} \${${key}}\``;

/** The parameters of a method that writes what `reader` reads, and the key; undefined if it writes something else. */
function writtenParts(
  reader: Method,
  { parameters, types }: Method,
): { parameters: string; key: string } | undefined {
  const keys = reader.parameters.length;
  if (parameters.length === keys + 1)
    return keys === 0 ? { parameters: 'value', key: '' } : { parameters: 'key, value', key: 'key' };
  if (keys !== 1 || parameters.length !== 1) return undefined;
  // an object that has its own key
  const fields = fieldsOfType(typeOf(parameters[0]), types)?.map(({ name }) => name) ?? [];
  const { name = '' } = reader.parameters[0] as { name?: string };
  const key = [name, 'id', 'key'].find((one) => fields.includes(one));
  return key === undefined ? undefined : { parameters: 'value', key: `value.${key}` };
}

const isPrimitive = ({ result }: Method): boolean =>
  partsOf(result).every(
    ({ type }) => /^TS(\w+Keyword|LiteralType)$/.test(type) && type !== 'TSObjectKeyword',
  );

/** What a reader returns before anything was stored. */
function missingValue(reader: Method, samples: Samples): string {
  const parts = partsOf(reader.result).map(({ type }) => type);
  if (parts.length === 0 || parts.includes('TSUndefinedKeyword')) return '';
  return ` ?? ${parts.includes('TSNullKeyword') ? 'null' : samples.answerOf(reader)}`;
}

/** The body of a stub that changes the store. */
function changes(change: string, method: Method, samples: Samples): string {
  const answer = samples.answerOf(method);
  return answer === '{}'
    ? `{\n      ${change};\n    }`
    : `{\n      ${change};\n      return ${answer};\n    }`;
}

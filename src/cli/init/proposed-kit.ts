/** The kit that fits a class, a factory or a function, by its name and its methods, and a scenario that uses it. */
import type { ExportedFunction, ExportedObject, Method } from './exported-objects.js';
import { FUNCTIONS, KINDS, type Kind } from './kinds.js';
import { createFields } from './kit-arguments.js';
import type { Samples } from './sample-values.js';

export interface KitProposal {
  /** `mutexKit` */
  readonly kit: string;
  /** The fields of the adapter, as source text. */
  readonly fields: readonly string[];
}

/** The kit for an object; undefined if none fits. */
export function proposedKit(object: ExportedObject, samples: Samples): KitProposal | undefined {
  const named = KINDS.filter(({ names }) => names.test(object.name));
  const typed = KINDS.filter(({ isLike }) => isLike?.(object));
  for (const kind of [...named, ...typed]) {
    const fields = fieldsOf(kind, object, samples);
    if (fields !== undefined) return { kit: kind.kit, fields };
  }
  return undefined;
}

/** The kit for a function that makes a function. */
export function proposedFunctionKit({ name }: ExportedFunction): KitProposal | undefined {
  const found = FUNCTIONS.find(([names]) => names.test(name));
  return found && { kit: found[1], fields: found[2](name) };
}

function fieldsOf(kind: Kind, object: ExportedObject, samples: Samples): readonly string[] | undefined {
  const fields = new Map<string, string>();
  for (const { field, methods, text, isRequired } of kind.roles) {
    if (fields.has(field)) continue;
    const found = object.methods.find(
      (method) => methods.test(method.name) && text(method, kind.variable, object) !== undefined,
    );
    const own = found && text(found, kind.variable, object);
    if (own === undefined && isRequired) return undefined;
    if (found === undefined || own === undefined) continue;
    fields.set(field, own);
    if (!/^acquire/.test(field) || kind.kit === 'poolKit') continue;
    const suffix = field.slice('acquire'.length);
    const release = releaseOf(found, suffix, kind.variable, object, samples);
    if (release === undefined) return undefined;
    fields.set(`release${suffix}`, release);
  }
  // at least one field beside those of the constructor
  if (fields.size === 0) return undefined;
  return [
    ...createFields(kind.given ?? {}, object, samples),
    ...Array.from(fields, ([field, text]) => `${field}: ${text}`),
  ];
}

/** How what a method acquires is released: a function or an object that it returns, or a method of the object. */
function releaseOf(
  acquire: Method,
  suffix: string,
  variable: string,
  { methods }: ExportedObject,
  samples: Samples,
): string | undefined {
  const handle = samples.handleOf(acquire);
  if (handle === '') return `(_${variable}, release) => release()`;
  if (handle !== undefined) return `(_${variable}, handle) => handle.${handle}()`;
  const names = new RegExp(
    `^(release_?${suffix}\\w*|${suffix}_?unlock|unlock_?${suffix}|${suffix === 'Read' ? 'r_?unlock|unlock_?shared' : suffix === 'Write' ? 'w_?unlock|unlock' : 'leave|up|signal|free'}|release|unlock)$`,
    'i',
  );
  const found = methods.find(({ name }) => names.test(name));
  if (found === undefined) return undefined;
  if (found.parameters.length === 0) return `(${variable}) => ${variable}.${found.name}()`;
  return samples.isGiven(acquire, found)
    ? `(${variable}, handle) => ${variable}.${found.name}(handle)`
    : undefined;
}

/** Kits of objects with keys. */
const STRINGS = ['cacheKit', 'batcherKit', 'memoKit'];
/** Pages of the guide that have another name than their kit. */
const PAGES: Readonly<Record<string, string>> = {
  memoKit: 'memoized-function',
  throttleKit: 'throttle-and-debounce',
  debounceKit: 'throttle-and-debounce',
  conditionKit: 'condition-variable',
};
const pageOf = (kit: string): string =>
  PAGES[kit] ?? kit.replace(/Kit$/, '').replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
const CONVERTED = `// keys and values are strings: if those of your class are not, convert them here
`;

/** The scenario of a class or function with its kit. */
export const kitText = (
  { name, isDefault }: ExportedFunction,
  { kit, fields }: KitProposal,
  path: string,
): string =>
  `import { ${kit} } from 'straightedge/kits';
import ${isDefault ? name : `{ ${name} }`} from '${path}';

// more guarantees: node_modules/straightedge/docs/guide/kits/${pageOf(kit)}.md
${STRINGS.includes(kit) ? CONVERTED : ''}export default ${kit}({
  name: '${name}',
${fields.map((field) => `  ${field},\n`).join('')}});
`;

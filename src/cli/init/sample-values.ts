/** Values for the parameters of a first scenario, by their declared types, as source text that compiles. */
import { type Method, methodsIn, resultOf, type Types } from './exported-objects.js';
import type { Parameter, Syntax } from './parameters.js';

/** Stands for a value that the user must fill in. */
export const UNKNOWN_VALUE = '/* fill in */';

const SAMPLES: Readonly<Record<string, string>> = {
  TSStringKeyword: "'a'",
  TSNumberKeyword: '1',
  TSBooleanKeyword: 'true',
  TSBigIntKeyword: '1n',
  TSUnknownKeyword: '1',
  TSAnyKeyword: '1',
  TSNullKeyword: 'null',
  TSUndefinedKeyword: 'undefined',
  TSVoidKeyword: 'undefined',
  TSObjectKeyword: '{}',
  TSSymbolKeyword: "Symbol.for('a')",
  TSArrayType: '[]',
};
/** Values of types of the platform. */
const PLATFORM: Readonly<Record<string, string>> = {
  Array: '[]',
  ReadonlyArray: '[]',
  Iterable: '[]',
  Map: 'new Map()',
  ReadonlyMap: 'new Map()',
  Set: 'new Set()',
  ReadonlySet: 'new Set()',
  Date: 'new Date(0)',
  Error: "new Error('a')",
  Record: '{}',
  Partial: '{}',
  Uint8Array: 'new Uint8Array(1)',
  Buffer: "Buffer.from('a')",
  AbortSignal: 'new AbortController().signal',
  URL: "new URL('https://example.org')",
  RegExp: '/a/',
};
/** Methods by which a handle is given back. */
const GIVES_BACK = /^(release|unlock|close|dispose|free|end|stop|done|cancel|unsubscribe|return|destroy)$/i;
const MOST_LEVELS = 4;

const nameOf = (node: unknown): string | undefined => (node as { name?: string } | null | undefined)?.name;

/** The declared type of a parameter. */
export const typeOf = (parameter: Syntax): Syntax | undefined =>
  (parameter.typeAnnotation as { typeAnnotation?: Syntax } | null | undefined)?.typeAnnotation;

/** The declaration that a type refers to, or the type itself; undefined if it is not in the file. */
function declared(type: Syntax | undefined, types: Types): Syntax | undefined {
  if (type?.type === 'TSParenthesizedType') return declared(type.typeAnnotation as Syntax, types);
  if (type?.type !== 'TSTypeReference') return type;
  const found = types.get(nameOf(type.typeName) ?? '');
  return found?.type === 'TSTypeAliasDeclaration' ? declared(found.typeAnnotation as Syntax, types) : found;
}

/** The methods of a type that has nothing else; of a function, one without a name. Undefined for other types. */
export function methodsOfType(type: Syntax | undefined, types: Types): readonly Method[] | undefined {
  const own = declared(type, types);
  if (own?.type === 'TSFunctionType') {
    const signature = { type: 'TSMethodSignature', key: { name: 'call' }, ...functionParts(own) };
    return methodsIn({ type: 'TSTypeLiteral', members: [signature] }, { declarations: types }).map(
      (method) => ({
        ...method,
        name: '',
      }),
    );
  }
  if (own?.type !== 'TSInterfaceDeclaration' && own?.type !== 'TSTypeLiteral') return undefined;
  const members = membersOf(own);
  const methods = methodsIn(own, { declarations: types });
  return methods.length === members.length ? methods : undefined;
}

/** The fields of a type, with their types; undefined if it is not declared in the file. */
export function fieldsOfType(type: Syntax | undefined, types: Types): Parameter[] | undefined {
  const own = declared(type, types);
  if (own?.type !== 'TSInterfaceDeclaration' && own?.type !== 'TSTypeLiteral') return undefined;
  return membersOf(own).map((member) => ({
    name: nameOf(member.key) ?? '',
    type: member.type === 'TSMethodSignature' ? { ...member, type: 'TSFunctionType' } : typeOf(member),
    isOptional: member.optional === true,
  }));
}

const functionParts = ({ params, returnType }: Syntax) => ({ params, returnType });

const membersOf = (own: Syntax): readonly Syntax[] =>
  ((own.type === 'TSInterfaceDeclaration' ? (own.body as Syntax).body : own.members) as readonly Syntax[]) ??
  [];

export class Samples {
  readonly isTyped: boolean;
  /** Names that the samples need from the file. */
  readonly imports: Set<string> = new Set();

  constructor(isTyped: boolean) {
    this.isTyped = isTyped;
  }

  /** A value of a type. Without a type, a number. */
  of(type: Syntax | undefined, types: Types, level = 0): string {
    if (type === undefined) return '1';
    const known = SAMPLES[type.type];
    if (known !== undefined) return known;
    if (level > MOST_LEVELS) return this.#unknown();
    switch (type.type) {
      case 'TSParenthesizedType':
      case 'TSTypeOperator':
        return this.of(type.typeAnnotation as Syntax, types, level);
      case 'TSUnionType':
        return this.#ofUnion(type.types as readonly Syntax[], types, level);
      case 'TSLiteralType':
        return literalText(type.literal as Syntax) ?? this.#unknown();
      case 'TSTupleType': {
        const elements = type.elementTypes as readonly Syntax[];
        return `[${elements.map((one) => this.of((one.elementType as Syntax | undefined) ?? one, types, level + 1)).join(', ')}]`;
      }
      case 'TSFunctionType':
        return this.#function(resultOf(type), type, types, level);
      case 'TSTypeLiteral':
      case 'TSInterfaceDeclaration':
        return this.#object(membersOf(type), types, level);
      case 'TSTypeReference':
        return this.#ofReference(type, types, level);
      default:
        return this.#unknown();
    }
  }

  /** The first value that is known. */
  #ofUnion(members: readonly Syntax[], types: Types, level: number): string {
    const texts = members.map((member) => this.of(member, types, level));
    const isValue = (text: string): boolean => !text.includes(UNKNOWN_VALUE);
    return (
      texts.find((text) => isValue(text) && text !== 'null' && text !== 'undefined') ??
      texts.find(isValue) ??
      texts[0]
    );
  }

  #ofReference(type: Syntax, types: Types, level: number): string {
    const name = nameOf(type.typeName) ?? '';
    const [inner] = ((type.typeArguments as Syntax | null | undefined)?.params ?? []) as readonly Syntax[];
    const own = types.get(name);
    if (own?.type === 'TSTypeAliasDeclaration')
      return this.of(own.typeAnnotation as Syntax, types, level + 1);
    if (own?.type === 'TSInterfaceDeclaration') return this.of(own, types, level + 1);
    if (own?.type === 'TSEnumDeclaration') return this.#member(name, own);
    if (own !== undefined) return this.#unknown();
    if (name === 'Promise') return `Promise.resolve(${this.of(inner, types, level + 1)})`;
    // a parameter of the class or method takes any value
    return PLATFORM[name] ?? (/^[A-Z]$|^T[A-Z]\w*$/.test(name) ? '1' : this.#unknown());
  }

  #member(name: string, own: Syntax): string {
    const { members } =
      (own.body as { members?: readonly Syntax[] } | undefined) ?? (own as { members?: readonly Syntax[] });
    const first = nameOf(members?.[0]?.id);
    if (first === undefined) return this.#unknown();
    this.imports.add(name);
    return `${name}.${first}`;
  }

  #object(members: readonly Syntax[], types: Types, level: number): string {
    const fields = members
      .filter(({ optional }) => optional !== true)
      .map((member) => {
        const name = nameOf(member.key);
        const value =
          member.type === 'TSMethodSignature'
            ? this.#function(resultOf(member), member, types, level)
            : this.of(typeOf(member), types, level + 1);
        return name === undefined ? undefined : `${name}: ${value}`;
      });
    if (fields.includes(undefined)) return this.#unknown();
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }

  /** A function that returns a value. */
  #function(result: Syntax | undefined, { returnType }: Syntax, types: Types, level: number): string {
    const whole = (returnType as { typeAnnotation?: Syntax } | null | undefined)?.typeAnnotation;
    const isPromise = nameOf(whole?.typeName) === 'Promise';
    return `${isPromise ? 'async ' : ''}() => ${this.#body(result, types, level + 1)}`;
  }

  #body(result: Syntax | undefined, types: Types, level: number): string {
    const isEmpty = result === undefined || /^TS(Void|Undefined)Keyword$/.test(result.type);
    if (isEmpty) return '{}';
    const sample = this.of(result, types, level);
    if (sample.startsWith('{')) return `(${sample})`;
    // otherwise the result of the function has the type of all texts, or of all numbers
    const isLiteral =
      /^TS(Literal|Union)Type$/.test(declared(result, types)?.type ?? '') && !/^[[{(n]/.test(sample);
    return `${sample}${isLiteral && this.isTyped ? ' as const' : ''}`;
  }

  /** The body of a stub for a method. */
  answerOf({ result, types }: Method): string {
    return this.#body(result, types, 1);
  }

  #unknown(): string {
    return this.isTyped ? `undefined as never ${UNKNOWN_VALUE}` : `undefined ${UNKNOWN_VALUE}`;
  }

  /** How a result is given back: '' if it is a function to call, or the name of a method. */
  handleOf({ result, types }: Method): string | undefined {
    for (const one of partsOf(result)) {
      const own = declared(one, types);
      if (
        own &&
        /^(TSFunctionType|ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(own.type)
      )
        return requiredCount(own) === 0 ? '' : undefined;
      const isObject =
        own && /^(ObjectExpression|TSTypeLiteral|TSInterfaceDeclaration|Class\w+)$/.test(own.type);
      const method = isObject
        ? methodsIn(own, { declarations: types }).find(
            ({ name, parameters }) => GIVES_BACK.test(name) && parameters.length === 0,
          )
        : undefined;
      if (method) return method.name;
    }
    return undefined;
  }

  /** Does a method take what another one returns, and is that no plain value? */
  isGiven(take: Method, give: Method): boolean {
    return give.parameters.some((parameter) => this.isResult(take, parameter));
  }

  isResult({ result, types }: Method, parameter: Syntax): boolean {
    const type = typeOf(parameter);
    const name = nameOf(type?.typeName);
    if (name === undefined || !/^(TSInterface|TSType|Class)/.test(declared(type, types)?.type ?? ''))
      return false;
    return partsOf(result).some((one) => nameOf(one.typeName) === name);
  }
}

/** The members of a union; otherwise the type itself. */
export function partsOf(type: Syntax | undefined): readonly Syntax[] {
  if (type?.type === 'TSParenthesizedType') return partsOf(type.typeAnnotation as Syntax);
  if (type?.type === 'TSUnionType') return (type.types as readonly Syntax[]).flatMap(partsOf);
  return type ? [type] : [];
}

const requiredCount = ({ params }: Syntax): number =>
  (params as readonly Syntax[]).filter(
    ({ type, optional }) => optional !== true && type !== 'AssignmentPattern' && type !== 'RestElement',
  ).length;

/** A literal of a type; undefined for a template with holes. */
function literalText(literal: Syntax): string | undefined {
  if (literal.type === 'UnaryExpression') return `-${(literal.argument as { raw?: string }).raw}`;
  const { raw, quasis } = literal as { raw?: string; quasis?: readonly { value: { raw: string } }[] };
  if (typeof raw === 'string') return raw;
  return quasis?.length === 1 ? `\`${quasis[0].value.raw}\`` : undefined;
}

/** Does it call its last argument with the result, as Node's own functions did before promises? */
export function isCallbackStyle({ parameters, isAsynchronous, result }: Method): boolean {
  const last = parameters.at(-1);
  const type = last && typeOf(last);
  if (isAsynchronous || type?.type !== 'TSFunctionType') return false;
  const returnsNothing = result === undefined || /^TS(Void|Undefined)Keyword$/.test(result.type);
  const [first] = type.params as readonly { readonly name?: string }[];
  const isNamed = /^(cb|callback|done|next)$/i.test((last as { name?: string }).name ?? '');
  return returnsNothing && (isNamed || /^err(or)?$/i.test(first?.name ?? ''));
}

export function methodsText(methods: readonly Method[], samples: Samples): string {
  const lines = methods.map(({ name, parameters, types }) => {
    const args = parameters.slice(0, -1).map((parameter) => samples.of(typeOf(parameter), types));
    const [first, second] = (typeOf(parameters.at(-1)!)?.params ?? []) as readonly {
      readonly name?: string;
    }[];
    const hasError = /^err(or)?$/i.test(first?.name ?? '');
    const value = hasError ? second : first;
    const settle = `resolve(${value ? 'value' : ''})`;
    const callback = hasError
      ? `(error${value ? ', value' : ''}) => (error ? reject(error) : ${settle})`
      : `(${value ? 'value' : ''}) => ${settle}`;
    const type = samples.isTyped ? (value ? '<unknown>' : '<void>') : '';
    return `    ${name}: (object) =>
      new Promise${type}((resolve${hasError ? ', reject' : ''}) => {
        object.${name}(${[...args, callback].join(', ')});
      }),
`;
  });
  return `  // callbacks become promises
  methods: {
${lines.join('')}  },
`;
}

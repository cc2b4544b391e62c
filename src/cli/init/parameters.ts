/** The parameters of functions and constructors, from the syntax tree. */

/** A node of the syntax tree of oxc-parser. */
export interface Syntax {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  /** Declared, or that of the default value. */
  readonly type: Syntax | undefined;
  readonly isOptional: boolean;
}

export const nameOf = (node: unknown): string | undefined =>
  (node as { name?: string } | null | undefined)?.name;
export const listOf = (node: unknown): readonly Syntax[] =>
  (node as readonly Syntax[] | null | undefined) ?? [];
/** Those that a call must give, and all. */
interface Parameters {
  readonly parameters: readonly Syntax[];
  readonly allParameters: readonly Parameter[];
}

export const NO_PARAMETERS: Parameters = { parameters: [], allParameters: [] };

export const parametersOf = (code: Syntax): Parameters => ({
  parameters: requiredOf(code),
  allParameters: allOf(code),
});

/** The types of default values. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'TSNumberKeyword',
  string: 'TSStringKeyword',
  boolean: 'TSBooleanKeyword',
};

function allOf({ params }: Syntax): Parameter[] {
  return listOf(params).flatMap((one): Parameter[] => {
    const given = one.type === 'TSParameterProperty' ? (one.parameter as Syntax) : one;
    const hasDefault = given.type === 'AssignmentPattern';
    const own = hasDefault ? (given.left as Syntax) : given;
    const name = nameOf(own) ?? '';
    if (own.type === 'RestElement' || name === 'this') return [];
    const { typeAnnotation } = (own.typeAnnotation ?? {}) as { typeAnnotation?: Syntax };
    const { value } = (given.right ?? {}) as { value?: unknown };
    const shown = TYPES[typeof value];
    const type = typeAnnotation ?? (hasDefault && shown ? { type: shown } : undefined);
    return [{ name, type, isOptional: hasDefault || own.optional === true }];
  });
}

export function requiredOf({ params }: Syntax): Syntax[] {
  return listOf(params)
    .map((one) => (one.type === 'TSParameterProperty' ? (one.parameter as Syntax) : one))
    .filter(
      ({ type, optional, name }) =>
        type !== 'AssignmentPattern' && type !== 'RestElement' && optional !== true && name !== 'this',
    );
}

/**
 * Constructors and initializers.
 *
 * The constructor and the initializers of a class become generators too, if they use more than `this` and their own variables. A thread
 * makes a bare object, and runs them on it (`rt.constructs`). All other ones stay functions, in sync mode.
 *
 *     x = e; constructor(n) {…}    *#field1() {rt.define(this,"x",e)} constructor(...a) {if not bare: run #new} *#new(n) {…}
 *
 * The object of a subclass exists after the constructor of its superclass has ended. So its generator takes a function `s` that makes
 * the object: by `super` itself, or, in a thread, by running the constructor of the superclass. The rest of the body runs in a
 * generator of its own, in which `this` is the object.
 *
 *     constructor(n) {super(n);…}  static #new(s) {return function*(n) {const o=yield*rt.base(s,[n]);return yield*(function*() {…}).call(o)}}
 */
import { declaredIn } from '../syntax/scope.js';
import { bare, type ClassNode, childrenOf, isFunction, type Node, nameOf, type Of } from '../syntax/tree.js';
import { isErased } from '../syntax/types.js';
import type { CoroutineContext } from './context.js';

export interface SuspendableConstructor {
  /** Field to the name of the generator that initializes it. */
  readonly fields: ReadonlyMap<Node, string>;
  /** Text in the place of `constructor`, before its parameters; and after its body. */
  readonly body: string;
  readonly end: string;
  /** Of a subclass: text before and after the arguments of `super`. */
  readonly base?: readonly [before: string, after: string];
  /** Text of a constructor, if the class has none. */
  readonly member: string;
  readonly registration: string;
}

export function suspendableConstructor(context: CoroutineContext, node: ClassNode): SuspendableConstructor {
  const { prefix } = context;
  const written = constructorOf(node);
  const fields = new Map(instanceFields(node).map((field, i) => [field, `#${prefix}field${i}`]));
  const args = `${prefix}a`;
  const body = `#${prefix}new`;
  const whole = `#${prefix}make`;
  const initialized = [...fields.values()].map((name) => `yield*this.${name}();`).join('');
  const run = written ? `return yield*this.${body}(...${args})` : '';
  const made = `constructor(...${args}){if(${args}[0]!==${context.rt('bare')})return ${context.rt('finish')}(this.${whole}(...${args}))}*${whole}(...${args}){${initialized}${run}}`;
  const length = written ? lengthOf(written) : 0;
  if (node.superClass) return suspendableSubclass(context, node, fields, length);
  return {
    fields,
    body: `${made}*${body}`,
    end: '',
    member: written ? '' : made,
    registration: `${context.rt('constructs')}(this,(o,a)=>o.${whole}(...a),${length});`,
  };
}

function suspendableSubclass(
  context: CoroutineContext,
  node: ClassNode,
  fields: ReadonlyMap<Node, string>,
  length: number,
): SuspendableConstructor {
  const { prefix } = context;
  const rt = (name: string) => context.rt(name);
  const [args, make, object] = [`${prefix}a`, `${prefix}m`, `${prefix}o`];
  const name = (node.id as Of<'Identifier'>).name;
  const made = `#${prefix}new`;
  const initialized = [...fields.values()].map((field) => `yield*${object}.${field}();`).join('');
  const written = constructorOf(node);
  const begin = `constructor(...${args}){if(${args}[0]===${rt('bare')})super(${args}[1]);else return ${rt('finish')}(${name}.${made}((...${args})=>super(...${args}))(...${args}))}static ${made}(${make}){return function*`;
  const base = [
    `const ${object}=yield*${rt('base')}(${make},[`,
    `]);${initialized}return yield*(function*(){`,
  ] as const;
  return {
    fields,
    body: begin,
    end: `}).call(${object})}`,
    base,
    member: written ? '' : `${begin}(...${args}){${base[0]}...${args}]);${initialized}}}`,
    registration: `${rt('derives')}(this,s=>this.${made}(s),${length});`,
  };
}

function constructorOf(node: ClassNode): Of<'FunctionExpression'> | undefined {
  for (const member of node.body.body)
    if (member.type === 'MethodDefinition' && member.kind === 'constructor' && !isErased(member))
      return member.value as Of<'FunctionExpression'>;
  return undefined;
}

const instanceFields = (node: ClassNode): Of<'PropertyDefinition'>[] =>
  node.body.body.filter(
    (member): member is Of<'PropertyDefinition'> =>
      member.type === 'PropertyDefinition' && !member.static && !isErased(member),
  );

/** Parameters up to the first with a default. */
function lengthOf({ params }: Of<'FunctionExpression'>): number {
  const end = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');
  return end < 0 ? params.length : end;
}

/**
 * May a constructor or an initializer use something that is shared? Not with `new.target` or a computed field. Of a superclass nothing is
 * known, so a subclass always may, unless its constructor has another form than the one above.
 */
export function isSuspendable(context: CoroutineContext, node: ClassNode): boolean {
  const fields = instanceFields(node);
  const written = constructorOf(node);
  if (fields.some(({ computed }) => computed)) return false;
  if (written && usesTarget(written)) return false;
  if (node.superClass && !isOfPlatform(context, node.superClass))
    return node.id !== null && (written === undefined || hasPlainSuper(context, written));
  const known = new Set(written ? context.scopes.of(written)!.bindings.keys() : []);
  const isLocalField = ({ value }: Of<'PropertyDefinition'>) => !value || isLocal(value, new Set());
  const isLocalBody =
    written === undefined ||
    (written.params.every((param) => isPlainParameter(param, known)) && isLocal(written.body!, known));
  if (isLocalBody && fields.every(isLocalField)) return false;
  return !node.superClass || (node.id !== null && (written === undefined || hasPlainSuper(context, written)));
}

/** Is a superclass `Error`, `Map` or another class of the platform? */
const isOfPlatform = (context: CoroutineContext, superClass: Node): boolean =>
  superClass.type === 'Identifier' && context.scope.resolve(superClass.name) === undefined;

/** Is `super(…)` a statement of the body itself, and used only there; and can what follows stand in a function of its own? */
function hasPlainSuper(context: CoroutineContext, written: Of<'FunctionExpression'>): boolean {
  const scope = context.scopes.of(written)!;
  const statements = written.body!.body;
  const at = statements.findIndex(isSuperStatement);
  if (at < 0 || supersIn(written) !== 1 || scope.usesArguments) return false;
  const after = statements.slice(at + 1);
  if (after.some(({ type }) => type === 'FunctionDeclaration') || statements.slice(0, at + 1).some(usesThis))
    return false;
  const declared = declaredIn(after);
  return !scope.tracked.some(({ name }) => declared.has(name));
}

const isSuperStatement = (statement: Node): boolean =>
  statement.type === 'ExpressionStatement' &&
  statement.expression.type === 'CallExpression' &&
  statement.expression.callee.type === 'Super';

const usesThis = (node: Node): boolean =>
  node.type === 'ThisExpression' || childrenOf(node).some((child) => usesThis(child));

const supersIn = (node: Node): number =>
  childrenOf(node).reduce((sum, child) => sum + supersIn(child), node.type === 'Super' ? 1 : 0);

function usesTarget(node: Node): boolean {
  return node.type === 'MetaProperty' || childrenOf(node).some(usesTarget);
}

function isPlainParameter(param: Node, known: ReadonlySet<string>): boolean {
  if (param.type === 'TSParameterProperty') return isPlainParameter(param.parameter, known);
  if (param.type === 'AssignmentPattern')
    return isPlainParameter(param.left, known) && isLocal(param.right, known);
  return (
    param.type === 'Identifier' || (param.type === 'RestElement' && param.argument.type === 'Identifier')
  );
}

const LOCAL = /^(Literal|ThisExpression|TemplateElement|(Block|Expression|If|Return|Empty|Throw)Statement)$/;
const OF_LOCAL =
  /^(TemplateLiteral|(Unary|Logical|Conditional|Array|Binary)Expression|Property|ObjectExpression)$/;

/** Does code use nothing but `this` and the given variables, and convert nothing but literals? Functions inside run later. */
function isLocal(node: Node, known: ReadonlySet<string>): boolean {
  const inner = bare(node);
  if (isFunction(inner)) return true;
  if (inner.type === 'Identifier') return known.has(inner.name) || inner.name === 'undefined';
  if (inner.type === 'MemberExpression') return inner.object.type === 'ThisExpression' && !inner.computed;
  if (inner.type === 'AssignmentExpression')
    return inner.operator === '=' && isLocal(inner.left, known) && isLocal(inner.right, known);
  if (inner.type === 'NewExpression')
    return (
      inner.callee.type === 'Identifier' &&
      /^(Map|Set|Array|WeakMap|WeakSet)$/.test(inner.callee.name) &&
      inner.arguments.every(({ type }) => type === 'Literal')
    );
  if (inner.type === 'Property' && (inner.method || inner.kind !== 'init')) return !inner.computed;
  if (inner.type === 'BinaryExpression' || inner.type === 'TemplateLiteral')
    return childrenOf(inner).every(({ type }) => type === 'Literal' || type === 'TemplateElement');
  return (
    (LOCAL.test(inner.type) || OF_LOCAL.test(inner.type)) &&
    childrenOf(inner).every((child) => isLocal(child, known))
  );
}

/** An initializer as a generator. */
export function rewriteField(
  context: CoroutineContext,
  member: Of<'PropertyDefinition'>,
  generator: string,
): void {
  const { key, value } = member;
  const isPrivate = key.type === 'PrivateIdentifier';
  const [, frame] = context.within('coroutine', { isArrow: false, hasSuper: true }, () =>
    context.inScope(member, () => {
      if (value) context.visit(value);
    }),
  );
  const target = isPrivate
    ? [`#${key.name};*${generator}(){${context.prologue(frame)}this.#${key.name}=`, '}']
    : [
        `*${generator}(){${context.prologue(frame)}${context.rt('define')}(this,${JSON.stringify(nameOf(key, false))},`,
        `,${context.site(member)})}`,
      ];
  context.edits.before(member, ';');
  if (value) {
    context.edits.replace({ start: key.start, end: value.start }, target[0]);
    context.edits.after(value, target[1]);
  } else context.edits.replace(key, `${target[0]}void 0${target[1]}`);
}

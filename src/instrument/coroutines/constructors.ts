/**
 * Constructors and initializers.
 *
 * The constructor and the initializers of a class without a superclass become generators too, if they use more than `this` and
 * their own variables. A thread makes a bare object, and runs them on it (`rt.constructs`). All other ones stay functions, in
 * sync mode: the constructor of a superclass has to end before `this` exists.
 *
 *     x = e; constructor(n) {…}    *#field1() {rt.define(this,"x",e)} constructor(...a) {if not bare: run #new} *#new(n) {…}
 */
import { bare, type ClassNode, childrenOf, isFunction, type Node, nameOf, type Of } from '../syntax/tree.js';
import { isErased } from '../syntax/types.js';
import type { CoroutineContext } from './context.js';

export interface SuspendableConstructor {
  /** Field to the name of the generator that initializes it. */
  readonly fields: ReadonlyMap<Node, string>;
  /** Text in the place of `constructor`, before its parameters. */
  readonly body: string;
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
  return {
    fields,
    body: `${made}*${body}`,
    member: written ? '' : made,
    registration: `${context.rt('constructs')}(this,(o,a)=>o.${whole}(...a),${length});`,
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

/** May a constructor or an initializer use something that is shared; and is there no superclass, no `new.target` and no computed field? */
export function isSuspendable(context: CoroutineContext, node: ClassNode): boolean {
  const fields = instanceFields(node);
  const written = constructorOf(node);
  if (node.superClass || fields.some(({ computed }) => computed)) return false;
  if (written && usesTarget(written)) return false;
  const known = new Set(written ? context.scopes.of(written)!.bindings.keys() : []);
  const isLocalField = ({ value }: Of<'PropertyDefinition'>) => !value || isLocal(value, new Set());
  const isLocalBody =
    written === undefined ||
    (written.params.every((param) => isPlainParameter(param, known)) && isLocal(written.body!, known));
  return !(isLocalBody && fields.every(isLocalField));
}

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

/**
 * TypeScript to JavaScript, with every line where it was.
 *
 * Types are blanked in place. Enums become the code that they stand for; parameter properties do when their constructor is rewritten.
 * Unused imports are removed, as in a file that is compiled alone. Namespaces, decorators, `import x = require()` and `export =` are
 * reported as problems.
 */

import type { Scopes } from './scopes.js';
import type { Edits, Source, Span } from './source.js';
import { bare, type ClassNode, childrenOf, isFunction, isType, type Node, type Of } from './tree.js';

type Report = (node: Span, message: string) => void;

export class TypeEraser {
  readonly #source: Source;
  readonly #scopes: Scopes;
  readonly #edits: Edits;
  readonly #report: Report;

  constructor(source: Source, scopes: Scopes, edits: Edits, report: Report) {
    this.#source = source;
    this.#scopes = scopes;
    this.#edits = edits;
    this.#report = report;
  }

  erase(node: Node): void {
    if (isType(node)) {
      this.#edits.blank(node);
      return;
    }
    switch (node.type) {
      case 'Identifier':
        if (node.name !== 'this' && (node.typeAnnotation || node.optional))
          this.#edits.blank({ start: node.start + node.name.length, end: node.end });
        return;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        this.erase(node.expression);
        this.#edits.blank({ start: node.expression.end, end: node.end });
        return;
      case 'TSTypeAssertion':
        this.#edits.blank({ start: node.start, end: node.expression.start });
        this.erase(node.expression);
        return;
      case 'ImportDeclaration':
        this.#import(node);
        return;
      case 'ExportNamedDeclaration':
        if (node.exportKind === 'type' || (node.declaration && isType(node.declaration))) {
          this.#edits.blank(node);
          return;
        }
        this.#exported(node);
        break;
      case 'ExportAllDeclaration':
        if (node.exportKind === 'type') this.#edits.blank(node);
        return;
      case 'ExportDefaultDeclaration':
        if (isType(node.declaration)) {
          this.#edits.blank(node);
          return;
        }
        break;
      case 'TSEnumDeclaration':
        this.#enum(node);
        return;
      case 'TSModuleDeclaration':
        this.#report(node, 'a namespace with values in it: make it a module of its own');
        return;
      case 'TSImportEqualsDeclaration':
      case 'TSExportAssignment':
        this.#report(node, 'an import or export with "=": write it as import … from, export default');
        return;
      case 'Decorator':
        this.#report(node, 'a decorator: compile it away before, or leave this file out');
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#class(node);
        break;
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (isErased(node)) {
          this.#edits.blank(node);
          return;
        }
        this.#modifiers(node.start, node.key.start);
        if (node.optional || ('definite' in node && node.definite)) this.#mark(node.key.end);
        break;
      case 'TSParameterProperty':
        this.#modifiers(node.start, node.parameter.start);
        break;
    }
    if (isFunction(node)) this.#this(node.params);
    for (const child of childrenOf(node)) if (child.type !== 'TSClassImplements') this.erase(child);
  }

  #class(node: ClassNode): void {
    this.#modifiers(node.start, node.id?.start ?? node.body.start);
    if (node.implements?.length) {
      const from = (node.superTypeArguments ?? node.superClass ?? node.typeParameters ?? node.id ?? node).end;
      const start = this.#source.text.indexOf('implements', node.superClass || node.id ? from : node.start);
      this.#edits.blank({ start, end: node.implements[node.implements.length - 1].end });
    }
  }

  /** Words before a name that only types know. */
  #modifiers(start: number, end: number): void {
    const words = /\b(?:private|public|protected|readonly|override|declare|abstract)\b/g;
    for (const { index, 0: word } of this.#source.text.slice(start, end).matchAll(words))
      this.#edits.blank({ start: start + index, end: start + index + word.length });
  }

  /** The `?` or `!` after a name. */
  #mark(from: number): void {
    const start = from + this.#source.text.slice(from).search(/[?!]/);
    this.#edits.blank({ start, end: start + 1 });
  }

  #this(params: readonly Node[]): void {
    const first = params[0];
    if (first?.type === 'Identifier' && first.name === 'this') this.#withComma(first);
  }

  #withComma(node: Span): void {
    const comma = /^\s*,/.exec(this.#source.text.slice(node.end));
    this.#edits.blank({ start: node.start, end: node.end + (comma?.[0].length ?? 0) });
  }

  #import(node: Of<'ImportDeclaration'>): void {
    if (!this.#source.isTypeScript || node.specifiers.length === 0) return;
    const isUnused = (specifier: (typeof node.specifiers)[number]) =>
      ('importKind' in specifier && specifier.importKind === 'type') ||
      !this.#scopes.top.bindings.get(specifier.local.name)?.isUsed;
    if (node.importKind === 'type' || node.specifiers.every(isUnused)) {
      this.#edits.blank(node);
      return;
    }
    // a namespace after a default import stays: the comma before it would be left
    for (const specifier of node.specifiers)
      if (isUnused(specifier) && specifier.type !== 'ImportNamespaceSpecifier') this.#withComma(specifier);
  }

  /** Removes names of types from an export, which has only values at run time. */
  #exported(node: Of<'ExportNamedDeclaration'>): void {
    for (const specifier of node.specifiers)
      if (
        specifier.exportKind === 'type' ||
        (!node.source &&
          specifier.local.type === 'Identifier' &&
          !this.#scopes.top.bindings.has(specifier.local.name))
      )
        this.#withComma(specifier);
  }

  #enum(node: Of<'TSEnumDeclaration'>): void {
    const enumName = node.id.name;
    let next: string | undefined = '0';
    const known = new Set<string>();
    const members = node.body.members.map(({ id, initializer }) => {
      const name = id.type === 'Identifier' ? id.name : String((id as Of<'Literal'>).value);
      const key = JSON.stringify(name);
      const value: string = initializer
        ? this.#constant(initializer, enumName, known)
        : (next ?? 'undefined');
      const isText = initializer !== null && isString(bare(initializer));
      next = isText ? undefined : `${enumName}[${key}]+1`;
      known.add(name);
      return isText ? `${enumName}[${key}]=${value};` : `${enumName}[${enumName}[${key}]=${value}]=${key};`;
    });
    this.#edits.replace(
      node,
      `var ${enumName};(function(${enumName}){${members.join('')}})(${enumName}||(${enumName}={}));`,
    );
  }

  /** The text of an initializer, in which other members go by their full names. */
  #constant(node: Node, enumName: string, known: ReadonlySet<string>): string {
    const text = this.#source.textOf(bare(node)).replaceAll('\n', ' ');
    const names: { start: number; name: string }[] = [];
    const collect = (at: Node): void => {
      if (at.type === 'Identifier' && known.has(at.name))
        names.push({ start: at.start - bare(node).start, name: at.name });
      else if (at.type === 'MemberExpression' && !at.computed) collect(at.object);
      else for (const child of childrenOf(at)) collect(child);
    };
    collect(node);
    return names
      .sort((a, b) => b.start - a.start)
      .reduce((edited, { start }) => `${edited.slice(0, start)}${enumName}.${edited.slice(start)}`, text);
  }
}

/** Is it certainly a string: a literal, a template, or a concatenation? */
function isString(node: Node): boolean {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string';
    case 'TemplateLiteral':
      return true;
    case 'BinaryExpression':
      return node.operator === '+' && (isString(bare(node.left)) || isString(bare(node.right)));
    default:
      return false;
  }
}

/** Is a member erased as a whole: declared, abstract, or an overload signature? */
export function isErased(member: Node): boolean {
  if (member.type === 'MethodDefinition') return member.value.type === 'TSEmptyBodyFunctionExpression';
  return isType(member);
}

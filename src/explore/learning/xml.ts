/**
 * The part of XML that observation files need: elements with attributes and text, comments, and the five predefined
 * entities. Declarations and custom entities are not supported, so a file cannot expand when it is read.
 */
import { ScenarioError } from '../../execution/memory/program-error.js';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The text of the file, with entities not replaced. */
  readonly text: string;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CHARACTERS).map(([letter, name]) => [name, letter]),
);

/** The five characters that XML reserves, as entities. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (letter) => CHARACTERS[letter]);

/** Control characters, which XML cannot hold, are written as JSON writes them. */
export const escaped = (text: string): string =>
  escapeXml(text).replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => NAMES[name]);

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w.-]+\s*=\s*"[^"]*")*)\s*(\/?)>|([^<]+)/y;

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** The elements of a text, one inside of another. */
export function parseXml(source: string): Element[] {
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack: Open[] = [root];
  const fail = (at: number, message: string): never => {
    const lines = source.slice(0, at).split('\n');
    throw new ScenarioError(`line ${lines.length}, column ${lines[lines.length - 1].length + 1}: ${message}`);
  };
  for (let at = 0; at < source.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source);
    if (token === null) return fail(at, 'no element, text or comment of XML');
    const [whole, slash, name, attributes, isEmpty, text] = token;
    const top = stack[stack.length - 1];
    if (text !== undefined) top.text += text;
    else if (slash === '/') {
      if (top.name !== name) return fail(at, `</${name}> where </${top.name}> was expected`);
      stack.pop();
    } else if (name !== undefined) {
      const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
      top.children.push(element);
      if (isEmpty !== '/') stack.push(element);
    }
    at += whole.length;
  }
  if (stack.length > 1) fail(source.length, `the text ends inside of <${stack[stack.length - 1].name}>`);
  return root.children;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/([\w.-]+)\s*=\s*"([^"]*)"/g))
    attributes[name] = unescaped(value);
  return attributes;
}

/** Globs of files: `*` within a name, `**` over folders, `?` one character, `{a,b}` either. */
import { resolve } from 'node:path';

/** What full paths, with slashes, match a glob. */
export function globPattern(glob: string, from: string): RegExp {
  const path = resolve(from, glob).replaceAll('\\', '/');
  let depth = 0;
  const text = path.replaceAll(/\*\*\/|\*\*|\*|\?|[{},]|[.+^$()|[\]\\]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        depth++;
        return '(?:';
      case '}':
        depth--;
        return ')';
      case ',':
        return depth > 0 ? '|' : ',';
      default:
        return `\\${part}`;
    }
  });
  return new RegExp(`^${text}$`);
}

/** Names of packages that globs go into. */
export function packagesIn(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => /node_modules\/((?:@[^/*]+\/)?[^/*]+)/.exec(glob)?.[1] ?? []);
}

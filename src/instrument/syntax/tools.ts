/**
 * What parses, edits and loads source, fetched when the first file is transformed: whoever imports a
 * scenario or a primitive of ours has no need of it, and it takes longer to load than all the rest.
 */
import { createRequire } from 'node:module';

interface Tools {
  readonly parser: typeof import('oxc-parser');
  readonly MagicString: typeof import('magic-string').default;
  readonly createJiti: typeof import('jiti').createJiti;
}

let fetched: Tools | undefined;

export function tools(): Tools {
  fetched ??= fetchTools();
  return fetched;
}

function fetchTools(): Tools {
  const require = createRequire(import.meta.url);
  return {
    parser: require('oxc-parser') as Tools['parser'],
    MagicString: require('magic-string') as Tools['MagicString'],
    createJiti: (require('jiti') as Tools).createJiti,
  };
}

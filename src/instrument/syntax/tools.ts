/**
 * The parser, the text editor and the module loader, loaded with the first file that is instrumented. They take longer to load than all
 * else, and code that imports only a scenario or a primitive does not need them.
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

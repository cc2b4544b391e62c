/** `--map`: a function of the user's that makes our records of foreign ones. */
import { loadModule } from '../../config/load-module.js';
import { UsageError } from '../../config/usage-error.js';
import type { RecordMap } from '../../formats/common/record-map.js';

export async function loadMap(path: string): Promise<RecordMap> {
  const map = await loadModule(path, 'map');
  if (typeof map !== 'function')
    throw new UsageError(
      `the default export of ${path} is no function; expected one that takes a record of the file (docs/converting.md)`,
    );
  return map as RecordMap;
}

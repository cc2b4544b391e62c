/** Servers that tests need. Where one is not installed its tests are left out, and say so; with CI set it has to be. */
import { isInstalled } from '../../../examples/servers/server.js';

/** `from`: the package that has it. */
export function hasServer(command: string, from: string): boolean {
  const isThere = isInstalled(command);
  if (!isThere && process.env.CI) throw new Error(`${command} is not installed: .ci/run installs it`);
  if (!isThere) console.warn(`NOT TESTED: there is no ${command} (apt-get install ${from})`);
  return isThere;
}

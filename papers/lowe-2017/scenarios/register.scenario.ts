import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { CachedRegister } from './cached-register.js';
import { Register } from './register.js';

const of = (name: string, create: () => Register): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: register<number>({ initial: 0 }),
    calls: [['read'], ['write', 1], ['write', 2]],
  });

const right: Scenario = of('register', () => new Register());
export const faulty: Scenario = of('register, cached', () => new CachedRegister());
export default right;

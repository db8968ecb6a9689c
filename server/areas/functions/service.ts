export { type Instances, Overloaded, type Place, tryFunctions } from './instances.ts';
export { chooseRuntime } from './runtimes.ts';

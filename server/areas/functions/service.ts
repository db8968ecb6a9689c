export { type Instances, Overloaded, tryFunctions } from './instances.ts';
export { chooseRuntime } from './runtimes.ts';

export { type Tried, tryFunctions } from './attempts.ts';
export { type Instances, Overloaded } from './instances.ts';
export type { Place, Workload } from './pool.ts';
export { chooseRuntime } from './runtimes.ts';
export { type PointSum, pointsByFunctions, pointsBySteps } from './store.ts';

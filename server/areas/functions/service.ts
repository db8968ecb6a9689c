export {
  type Instances,
  Overloaded,
  type Place,
  type Tried,
  tryFunctions,
  type Workload,
} from './instances.ts';
export { chooseRuntime } from './runtimes.ts';
export { type PointSum, pointsByFunctions, pointsBySteps } from './store.ts';

export { ConfigurationError, checkConfiguration, mistakesOf, unknownKeys } from './check.ts';
export { defineConfig } from './define.ts';
export { type Evaluate, findConfiguration, type LoadedConfiguration, loadConfiguration } from './load.ts';
export { configurationFileNames, configurationStems, ignoreFileNames, isModule } from './names.ts';
export { configurationSchema, runtimeNames } from './schema.ts';
export type {
  Condition,
  Configuration,
  FunctionSettings,
  ImageSettings,
  Route,
  RuntimeName,
  Services,
} from './types.ts';

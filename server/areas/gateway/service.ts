export { compileRoutes, RouteError } from './routes/compile.ts';
export { fromFileName } from './routes/pathname.ts';
export type { Route } from './routes/route.ts';

export { compileRoutes, RouteError } from './routes/compile.ts';
export { decide, type RouteTable, routeTable } from './routes/decide.ts';
export { fromFileName, normalizePath } from './routes/pathname.ts';
export type { Decision, Published, Route, RouteRequest } from './routes/route.ts';

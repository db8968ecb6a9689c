export { announcePurges } from './cache/routes.ts';
export { policyOf } from './images/policy.ts';
export { imageTags } from './images/serve.ts';
export { compileRoutes, hostName, RouteError } from './routes/compile.ts';
export { decide, routeTable } from './routes/decide.ts';
export { fromFileName, normalizePath } from './routes/pathname.ts';
export type { Route, RouteRequest } from './routes/route.ts';
export { publishedOf } from './sites.ts';

import type { paths } from './api.ts';

/** What openapi.json says of an operation, named by its method and path. */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that know the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Parameters<M extends Method, P extends PathOf<M>> = paths[P][M] extends { parameters: infer T }
  ? T
  : never;

/** The values of the `{names}` in the path. */
export type PathValues<M extends Method, P extends PathOf<M>> =
  Parameters<M, P> extends { path: infer T extends object } ? T : Record<string, never>;

export type Query<M extends Method, P extends PathOf<M>> =
  Parameters<M, P> extends { query?: infer T } ? Extract<T, object> : never;

/** JSON where the operation describes its body, otherwise bytes with their media type. */
export type Body<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  requestBody: { content: { 'application/json': infer T } };
}
  ? T
  : Blob;

/** What the operation answers with on success: undefined where that has no content. */
export type Answer<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer T } } };
}
  ? T
  : undefined;

/** The lists among the operations. */
export type ListPath = {
  [P in PathOf<'get'>]: Answer<'get', P> extends { items: unknown[]; nextCursor?: string } ? P : never;
}[PathOf<'get'>];

export type Item<P extends ListPath> = Answer<'get', P> extends { items: (infer T)[] } ? T : never;

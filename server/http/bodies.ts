import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';
import { tooLarge } from '#http/errors.ts';
import { coerceFields, type FormFields, parseMultipart, parseUrlencoded } from '#http/forms.ts';
import { JsonParser } from '#http/json-parser.ts';
import { receiveJson } from '#http/json-work.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may come as a form (urlencoded or multipart) besides JSON. */
    forms?: boolean;
    /** How many values, names and containers a JSON body may hold, where it is not 20 000. */
    jsonItems?: number;
    /** The body is not JSON but bytes whose content type starts like this, such as `image/`. */
    bytes?: string;
  }
}

/** The one way in which bodies become objects: JSON everywhere, forms on routes that say so. */
export function registerBodies(app: FastifyInstance): void {
  const json = new JsonParser();
  app.removeAllContentTypeParsers();

  app.addContentTypeParser('application/json', (request, payload, done) => {
    receiveJson(request, payload, (failure, pieces, length) => {
      try {
        if (failure) return done(failure, undefined);
        if (isAbsent(request, length)) return done(null, undefined);
        const parsed = json.parse(pieces, length);
        if (parsed instanceof Promise) parsed.then((value) => done(null, value), done);
        else done(null, parsed);
      } catch (error) {
        done(error as Error);
      }
    });
  });
  app.addHook('onClose', () => json.close());

  // Bytes of any type, on the routes that ask for them.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (isAbsent(request, body.length)) return done(null, undefined);
    const { bytes } = request.routeOptions.config;
    const type = request.headers['content-type'] ?? '';
    if (bytes !== undefined && type.startsWith(bytes)) return done(null, body);
    const wanted = bytes === undefined ? 'application/json' : `${bytes}*`;
    done(new Problem('unsupported_media_type', `This content type is not accepted here; send ${wanted}.`));
  });

  const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

  app.addContentTypeParser(formTypes[0] as string, { parseAs: 'string' }, (request, body, done) => {
    try {
      if (isAbsent(request, body.length)) return done(null, undefined);
      done(null, fieldsFor(request.routeOptions, parseUrlencoded(body as string)));
    } catch (error) {
      done(error as Error);
    }
  });

  app.addContentTypeParser(
    formTypes[1] as string,
    async (request: FastifyRequest, stream: IncomingMessage) => {
      const { bodyLimit } = request.routeOptions;
      const declared = Number(request.headers['content-length'] ?? 0);
      if (request.headers['content-length'] === '0' && isAbsent(request, 0)) return undefined;
      if (declared > bodyLimit) throw tooLarge();
      const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
      return fieldsFor(request.routeOptions, await parseMultipart(headers, stream, bodyLimit));
    },
  );
}

/** Where no body is expected, an empty one may claim any content type: many clients name one always. */
function isAbsent(request: FastifyRequest, length: number): boolean {
  return length === 0 && request.routeOptions.schema?.body === undefined;
}

function fieldsFor(
  route: { config: { forms?: boolean }; schema?: { body?: unknown } | undefined },
  fields: FormFields,
): Record<string, unknown> {
  if (!route.config.forms) {
    throw new Problem('unsupported_media_type', 'Forms are not accepted here; send application/json.');
  }
  return coerceFields(fields, (route.schema?.body ?? {}) as object);
}

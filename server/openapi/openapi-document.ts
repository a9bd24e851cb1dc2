import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { API_ROOT, type Endpoint, type Method } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { failures } from '#contract/errors.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { failureExtra } from '#contract/refusals/failure-extra.ts';
import type { Config } from '#server/config/config.ts';
import { sessionCookie } from '#server/sessions/sessions.ts';

const failure = z
  .object({
    success: z.literal(false),
    msg: z.string(),
    code: z.enum(Object.keys(failures)),
    fields: z.record(z.string(), z.string()).optional(),
    ...failureExtra.shape,
  })
  .meta({ id: 'Failure' });

const methodKeys = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const satisfies Record<Method, string>;

/** The OpenAPI document of the contract, with each endpoint once, and again for each alias. */
export function openApiDocument(config: Config): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const ways = [endpoint, ...(endpoint.aliases ?? [])];
    for (const [index, { method, path }] of ways.entries()) {
      const key = `${API_ROOT}${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      const operationId = index === 0 ? name : `${name}_${index}`;
      paths[key] = { ...paths[key], [methodKeys[method]]: operation(endpoint, method, operationId) };
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: PRODUCT_NAME, version: '1' },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie(config) } },
    },
    paths,
  });
}

function operation(endpoint: Endpoint, method: Method, operationId: string): ZodOpenApiOperationObject {
  return {
    operationId,
    summary: endpoint.summary,
    security: endpoint.needs === 'public' ? [] : [{ session: [] }],
    requestParams: {
      ...(endpoint.params instanceof z.ZodObject ? { path: endpoint.params } : {}),
      ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
    },
    ...requestBody(endpoint, method),
    responses: {
      '200': endpoint.file
        ? { description: 'The file' }
        : { description: 'Success', content: { 'application/json': { schema: endpoint.reply } } },
      default: { description: 'Failure', content: { 'application/json': { schema: failure } } },
    },
  };
}

function requestBody(endpoint: Endpoint, method: Method): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (endpoint.bytes !== undefined) return { requestBody: { content: { 'application/octet-stream': {} } } };
  if (endpoint.body === undefined || method === 'GET') return {};
  return { requestBody: { content: requestContent(endpoint, endpoint.body) } };
}

function requestContent(endpoint: Endpoint, body: z.ZodType) {
  if (endpoint.multipart && body instanceof z.ZodObject) {
    const file = z.string().meta({ format: 'binary', type: 'string' });
    return { 'multipart/form-data': { schema: body.extend({ file }) } };
  }
  const types = ['application/json', ...(endpoint.anyBodyType ? ['*/*'] : (endpoint.bodyTypes ?? []))];
  return Object.fromEntries(types.map((type) => [type, { schema: body }]));
}

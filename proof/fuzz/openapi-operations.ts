import { Ajv2020 } from 'ajv/dist/2020.js';

/** The parts of the OpenAPI document from which requests are made and replies are checked. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** An operation: a path with one method. */
export interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: NonNullable<Described['parameters']>;
  /** Body schemas by content type; empty without a body. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /** The schema violation of a reply, or undefined. */
  readonly offSchema: (status: number, body: unknown) => string | undefined;
  readonly isFile: boolean;
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;

function isMethod(key: string): key is keyof typeof methods {
  return key in methods;
}

/** Every operation of the document. */
export function operationsOf(document: OpenApi): readonly Operation[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(document, 'openapi');
  const pointer = (...keys: readonly string[]) =>
    `openapi#/${keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  return Object.entries(document.paths).flatMap(([path, described]) =>
    Object.entries(described).flatMap(([key, operation]) => {
      if (!isMethod(key)) return [];
      const schemaOf = (status: string) =>
        ajv.compile({
          $ref: pointer('paths', path, key, 'responses', status, 'content', 'application/json', 'schema'),
        });
      const isFile = operation.responses['200']?.content === undefined;
      const reply = isFile ? undefined : schemaOf('200');
      const failure = schemaOf('default');
      return [
        {
          name: operation.operationId,
          method: methods[key],
          path,
          parameters: operation.parameters ?? [],
          bodies: new Map(
            Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
          ),
          isFile,
          offSchema: (status: number, body: unknown) => {
            const validate = status === 200 ? reply : failure;
            if (validate === undefined || validate(body)) return undefined;
            return ajv.errorsText(validate.errors);
          },
        },
      ];
    }),
  );
}

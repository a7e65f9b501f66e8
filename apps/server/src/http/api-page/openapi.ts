import type { ErrorCode, Route } from '@tizara/contract'
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { exampleOf } from './example.ts'
import type { Group } from './groups.ts'
import { routeErrorsOf } from './route-errors.ts'

type Schema = Record<string, unknown>

/** Recursive schemas by component name. */
type Components = Record<string, Schema>

/** A moment is a Date on the server only (fields.ts). */
const MOMENT = { type: 'string', format: 'date-time' } as const
const isMoment = (options: unknown): boolean => Array.isArray(options) && options.some((one: GenericSchema) => one.type === 'date')

const CONVERT: ConversionConfig = {
  typeMode: 'input',
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema }) => {
    if (valibotSchema.type === 'union' && 'options' in valibotSchema && isMoment(valibotSchema.options)) return MOMENT
    // Converts `required`, because the converter does not support it and would drop the wrapped schema.
    if (valibotSchema.type !== 'non_optional' || !('wrapped' in valibotSchema)) return undefined
    const { $schema: _, ...rest } = toJsonSchema(valibotSchema.wrapped as GenericSchema, CONVERT)
    return rest
  },
}

/**
 * Converts a schema for the document. A recursive schema, such as a tree, contains its own definitions. These become components, and the
 * references are rewritten.
 */
function schemaOf(schema: GenericSchema, name: string, components: Components): Schema {
  const { $schema: _, $defs = {}, ...rest } = toJsonSchema(schema, CONVERT)
  const referred = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(referred)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string'
          ? value.replace(/^#\/\$defs\/(.+)$/, `#/components/schemas/${name}.$1`)
          : referred(value),
      ]),
    )
  }
  for (const [key, definition] of Object.entries($defs)) components[`${name}.${key}`] = referred(definition) as Schema
  return referred(rest) as Schema
}

const prefixOf = (route: Route) => (route.base === 'invoice' ? '/invoice-api' : '/api/v1')
export const openApiPath = (route: Route) => `${prefixOf(route)}${route.path}`.replace(/:(\w+)/g, '{$1}')

/** Error body of every refusal (EN-04). */
const REFUSAL = {
  type: 'object',
  required: ['statusCode', 'message', 'errorMessages', 'success'],
  properties: {
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    errorMessages: {
      type: 'array',
      items: { type: 'object', required: ['path', 'message'], properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    success: { type: 'boolean', const: false },
  },
}

/** Builds the OpenAPI 3.1 document from the definitions that validate the calls. */
export function openApiDocument(groups: readonly Group[], title: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const schemas: Components = { Refusal: REFUSAL }
  for (const { title: tag, routes } of groups) {
    for (const route of routes) {
      const operations = (paths[openApiPath(route)] ??= {})
      operations[route.method.toLowerCase()] = { tags: [tag], ...operationOf(route, schemas) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: 'Amounts are exact decimals with up to 8 places; moments are ISO 8601.' },
    servers: [{ url: '/' }],
    tags: groups.map(({ title: name, text: description }) => ({ name, description })),
    components: {
      schemas,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The access token from the sign-in, without a prefix.',
        },
      },
    },
    paths,
  }
}

interface Media {
  schema: Schema
  example: unknown
}

export interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}
interface Response {
  description: string
  headers?: Record<string, object>
  content: Record<string, { schema: Schema; example?: unknown }>
}

/** Headers of the refusals with one status. */
const headersOf = (status: number, codes: readonly ErrorCode[]): Record<string, object> => ({
  'Error-Code': { required: true, description: 'Stable name of the refusal.', schema: { type: 'string', enum: codes } },
  'Error-Values': { description: 'Values in the words of the refusal, form-encoded.', schema: { type: 'string' } },
  // A retry can resolve these refusals.
  ...(status === 429 || status === 503
    ? { 'Retry-After': { required: true, description: 'Seconds after which the call may succeed.', schema: { type: 'integer' } } }
    : {}),
})

const withExample = (schema: Schema): Media => ({ schema, example: exampleOf(schema) })

/** Adds the file to a form's text fields. The example holds no file. */
const withFile = ({ schema, example }: Media, { field, required }: NonNullable<Route['upload']>): Media => ({
  schema: {
    ...schema,
    properties: { ...(schema['properties'] as object), [field]: { type: 'string', format: 'binary' } },
    required: [...(schema['required'] as string[]), ...(required ? [field] : [])],
  },
  example,
})

/** Describes a call for the document. */
export function operationOf(route: Route, components: Components): Operation {
  const schemaFor = (part: string, schema: GenericSchema) => schemaOf(schema, `${route.name}.${part}`, components)
  const properties = (part: string, schema: GenericSchema | undefined) =>
    schema === undefined ? [] : Object.entries((schemaFor(part, schema) as { properties?: Record<string, object> }).properties ?? {})
  const parameters = [
    ...properties('params', route.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...properties('query', route.query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(route.money === true
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
      : []),
    ...(route.quoted === true ? [{ name: 'Quoted-Amount', in: 'header', required: false, schema: { type: 'string' } }] : []),
  ]
  const data = schemaFor('reply', route.reply)
  const envelope = {
    type: 'object',
    required: ['success', 'statusCode', 'message', 'data'],
    properties: {
      success: { type: 'boolean', const: true },
      statusCode: { type: 'integer', const: 200 },
      message: { type: 'string', examples: ['Success'] },
      data,
    },
  }
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.access === 'public' ? {} : { security: [{ session: [] }] }),
    parameters,
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              route.upload === undefined
                ? { 'application/json': withExample(schemaFor('body', route.body)) }
                : { 'multipart/form-data': withFile(withExample(schemaFor('body', route.body)), route.upload) },
          },
        }),
    responses: {
      200: { description: 'Done', content: { [route.media ?? 'application/json']: withExample(route.bare === true ? data : envelope) } },
      ...Object.fromEntries(
        [...Map.groupBy(routeErrorsOf(route), ({ status }) => status)].map(([status, refusals]) => [
          String(status),
          {
            description: refusals.map(({ message, when }) => (when === undefined ? message : `${message}: ${when}`)).join(' · '),
            headers: headersOf(
              status,
              refusals.map(({ code }) => code),
            ),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        ]),
      ),
    },
  }
}

import { errorCatalogue, type Route } from '@tizara/contract'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { FastifyInstance } from 'fastify'
import type { GenericSchema } from 'valibot'

type Schema = Record<string, unknown>

/** The schemas that refer to one another, by their name in the document. */
type Components = Record<string, Schema>

/**
 * A schema as the document holds it. What refers to itself, such as a tree, comes from the converter with definitions of
 * its own, referred to from the root of that one schema: in the document they are components, and refer to each other there.
 */
function schemaOf(schema: GenericSchema, name: string, components: Components): Schema {
  const { $schema: _, $defs = {}, ...rest } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
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
const openApiPath = (route: Route) => `${prefixOf(route)}${route.path}`.replace(/:(\w+)/g, '{$1}')

/** The OpenAPI 3.1 document of the wire, from the same definitions that validate it. */
export function openApiDocument(routes: readonly Route[], title: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const schemas: Components = {}
  for (const route of routes) {
    const operations = (paths[openApiPath(route)] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1' },
    components: {
      schemas,
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
    paths,
  }
}

function operationOf(route: Route, components: Components): object {
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
    required: ['success', 'statusCode', 'message'],
    properties: { success: { const: true }, statusCode: { type: 'integer' }, message: { type: 'string' }, data },
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
            content: {
              [route.upload === undefined ? 'application/json' : 'multipart/form-data']: { schema: schemaFor('body', route.body) },
            },
          },
        }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: route.bare === true ? data : envelope } } },
      ...Object.fromEntries(
        Object.entries(Object.groupBy(route.errors, (code) => String(errorCatalogue[code].status))).map(([status, codes]) => [
          status,
          { description: (codes ?? []).map((code) => errorCatalogue[code].message).join(' · ') },
        ]),
      ),
    },
  }
}

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

function page(routes: readonly Route[], title: string): string {
  const groups = Object.entries(Object.groupBy(routes, (route) => route.path.split('/')[1] ?? ''))
  const sections = groups.map(([group, members]) => {
    const items = (members ?? []).map((route) => {
      const detail = JSON.stringify(operationOf(route, {}), null, 2)
      return `<details id="${route.name}"><summary><b>${route.method}</b> <code>${escape(openApiPath(route))}</code> ${escape(route.summary)}</summary><pre>${escape(detail)}</pre></details>`
    })
    return `<section><h2>${escape(group)}</h2>${items.join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} API</title><link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>${escape(title)} API</h1><p>${routes.length} calls. The machine-readable form is <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}

const CSS =
  'body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#0c1b1a;background:#f8fbfb}main{max-width:960px;margin:0 auto;padding:24px 16px}details{background:#fff;border:1px solid #dbe5e4;border-radius:8px;margin:6px 0;padding:8px 12px}summary{cursor:pointer}pre{overflow:auto;font-size:13px}b{display:inline-block;min-width:4em;color:#00695f}'

/** Serves the document at `/api/openapi.json` and a browsable page at `/api/docs`. */
export function addApiPage(app: FastifyInstance, routes: readonly Route[], title: string): void {
  const document = JSON.stringify(openApiDocument(routes, title))
  const html = page(routes, title)
  app.get('/api/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get('/api/docs.css', (_, reply) => reply.type('text/css; charset=utf-8').send(CSS))
  app.get('/api/docs', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'")
      .send(html),
  )
}

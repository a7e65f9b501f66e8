import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { apiPage } from './page.ts'
import { groups } from './groups.ts'
import { openApiDocument } from './openapi.ts'

/** Allows the page's own files and its calls. The page has no inline code. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/**
 * Serves the document at `/api/openapi.json` and a page at `/api/docs` (docs/decisions/0015-custom-api-page.md).
 * @param demo demo account for trying calls, if any
 */
export function addApiPage(app: FastifyInstance, { brand }: Pick<Config, 'brand'>, demo?: { email: string; password: string }): void {
  const serve = (path: string, type: string, textOf: (title: string) => string, headers: Record<string, string> = {}) => {
    let ready = { title: brand.name, text: textOf(brand.name) }
    app.get(path, (_, reply) => {
      if (ready.title !== brand.name) ready = { title: brand.name, text: textOf(brand.name) }
      return reply.type(`${type}; charset=utf-8`).headers(headers).send(ready.text)
    })
  }
  const [css, js] = [file('docs.css'), file('docs.js')]
  serve('/api/openapi.json', 'application/json', (title) => JSON.stringify(openApiDocument(groups, title)))
  serve('/api/docs.css', 'text/css', () => css)
  serve('/api/docs.js', 'text/javascript', () => js)
  serve('/api/docs', 'text/html', (title) => apiPage(groups, title, demo), { 'Content-Security-Policy': CSP })
}

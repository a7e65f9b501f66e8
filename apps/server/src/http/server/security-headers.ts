import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../platform/config/config.ts'

const originOf = (address: string) => (/^https?:\/\//.test(address) ? ` ${new URL(address).origin}` : '')

/**
 * Returns the Content-Security-Policy of every page (ASVS 3.4.3): no inline code except hashed blocks, Trusted Types without any policy.
 * @param config names other origins for the app's calls
 * @param inlineHashes hashes of the page's inline script and style blocks, `'sha256-…'`
 */
export function contentSecurityPolicy(config: Config, inlineHashes: { script: string[]; style: string[] }): string {
  const with_ = (hashes: string[]) => ["'self'", ...hashes].join(' ')
  return [
    "default-src 'none'",
    `script-src ${with_(inlineHashes.script)}`,
    `style-src ${with_(inlineHashes.style)}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${originOf(config.apiBaseUrl)}${originOf(config.invoiceBaseUrl)}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Puts the headers on every answer, errors included (ASVS 3.4). */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  app.addHook('onSend', (request, reply, _, next) => {
    writeSecurityHeaders(reply, request.url, config)
    next()
  })
}

/** Sets the headers on one response that no hook processes. */
export function writeSecurityHeaders(reply: FastifyReply, url: string, config: Config): void {
  reply.header('X-Content-Type-Options', 'nosniff')
  reply.header('Cross-Origin-Opener-Policy', 'same-origin')
  reply.header('Referrer-Policy', url.startsWith('/auth/') ? 'no-referrer' : 'strict-origin')
  reply.header('X-Frame-Options', 'DENY')
  if (config.mode === 'production') reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!reply.hasHeader('content-security-policy')) {
    reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  }
  if (!reply.hasHeader('cache-control')) reply.header('Cache-Control', 'no-store')
}

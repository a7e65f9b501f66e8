import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { SESSION_MS } from './auth.rules.ts'

const NAME = 'refreshToken'

/** Limits the cookie to the auth routes (T15). The wire contract fixes its name and Lax (docs/decisions/0012-controls-met-otherwise.md). */
const attributes = (config: Config) => ({
  path: '/api/v1/auth',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: config.mode === 'production',
})

/** Sets the refresh cookie (API-21). */
export function setRefreshCookie(reply: FastifyReply, config: Config, token: string): void {
  reply.setCookie(NAME, token, { ...attributes(config), maxAge: SESSION_MS / 1000 })
}

export function clearRefreshCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(NAME, attributes(config))
}

/** Reads the refresh token of a same-site call; undefined if absent, or if another site caused the call (T15). */
export function readRefreshCookie(request: FastifyRequest, config: Config): string | undefined {
  const token = request.cookies[NAME]
  return token === undefined || token === '' || token.length > 200 || !isOwnPage(request, config) ? undefined : token
}

/** Returns true if a call comes from an allowed page, or from no page. */
export function isOwnPage(request: FastifyRequest, config: Config): boolean {
  const { origin } = request.headers
  const allowed = origin !== undefined && [new URL(config.publicUrl).origin, ...config.allowedOrigins].includes(origin.toLowerCase())
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none' || allowed
  return origin === undefined || allowed || hostOf(origin) === request.host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../platform/config/config.ts'
import { SESSION_MS } from '../auth.rules.ts'
import { type Origin, originOf } from './sessions.ts'

const NAME = 'refreshToken'
const DEVICE_NAME = 'devices'
/** Browsers delete cookies after 400 days. Each sign-in renews them. */
const DEVICE_SECONDS = 400 * 24 * 3600
/** Maximum accounts per browser with a recognized device. */
const MAX_TOKENS = 8

/**
 * Attributes of the cookie. The path limits the cookie to the auth routes. The requirements fix the name and `SameSite=Lax`
 * (docs/decisions/0012-alternative-controls.md).
 */
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

/** Reads the refresh token of a same-site call; undefined if absent, or if another site caused the call. */
export function readRefreshCookie(request: FastifyRequest, config: Config): string | undefined {
  const token = request.cookies[NAME]
  return token === undefined || token === '' || token.length > 200 || !isOwnPage(request, config) ? undefined : token
}

/** Sets the cookie of known devices: one random token for each account of this browser, newest first. */
export function setDeviceCookie(reply: FastifyReply, config: Config, tokens: readonly string[]): void {
  reply.setCookie(DEVICE_NAME, tokens.slice(0, MAX_TOKENS).join('.'), { ...attributes(config), maxAge: DEVICE_SECONDS })
}

/** Returns the client data of a call that may open a session. */
export const signInOrigin = (caller: Origin & { request: FastifyRequest }, { config }: { config: Config }): Origin => ({
  ...originOf(caller),
  deviceTokens: readDeviceCookie(caller.request, config),
})

/** Reads the device tokens of a same-site call. Malformed tokens are ignored. */
export function readDeviceCookie(request: FastifyRequest, config: Config): string[] {
  const tokens = (request.cookies[DEVICE_NAME] ?? '').split('.', MAX_TOKENS).filter((token) => /^[\w-]{43}$/.test(token))
  return isOwnPage(request, config) ? tokens : []
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

import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Config } from '../../../platform/config/config.ts'

/** The only accepted header: no other algorithm, and no key from the token (ASVS 9.1). */
const HEADER = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url')
const AUDIENCE = 'tizara-api'
/** Tolerated clock skew between processes for `nbf`, in seconds. */
const SKEW_SECONDS = 30

/** Purpose of a token: a session, or a staff view of a member's pages. A token of one purpose is invalid for the other (ASVS 9.2.2). */
type Purpose = 'access' | 'view'

const claimsSchema = v.object({
  aud: v.literal(AUDIENCE),
  purpose: v.picklist(['access', 'view']),
  sub: v.pipe(v.string(), v.minLength(1)),
  sid: v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
  exp: v.number(),
  nbf: v.optional(v.number()),
})

type SignedClaims = v.InferOutput<typeof claimsSchema>

export interface AccessClaims {
  /** The member's public id. */
  publicId: string
  sessionId: bigint
  expired: boolean
}

type Secrets = Pick<Config, 'tokenSecret' | 'tokenSecretPrevious'>

const sign = (input: string, secret: string) => createHmac('sha256', secret).update(input).digest()

/** Writes an access token (a JWT signed with HS256). */
export function writeAccessToken(
  config: Secrets & Pick<Config, 'accessTokenSeconds'>,
  session: { id: bigint; memberPublicId: string },
  now: Date,
): string {
  return writeToken(config, 'access', { ...session, seconds: config.accessTokenSeconds }, now)
}

/** Writes a staff view's token. */
export function writeViewToken(secrets: Secrets, view: { id: bigint; memberPublicId: string; seconds: number }, now: Date): string {
  return writeToken(secrets, 'view', view, now)
}

function writeToken(secrets: Secrets, purpose: Purpose, named: { id: bigint; memberPublicId: string; seconds: number }, now: Date): string {
  const issued = Math.floor(now.getTime() / 1000)
  const claims = {
    aud: AUDIENCE,
    purpose,
    sub: named.memberPublicId,
    sid: String(named.id),
    iat: issued,
    exp: issued + named.seconds,
  }
  const input = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${input}.${sign(input, secrets.tokenSecret).toString('base64url')}`
}

/**
 * Reads an access token. Verifies the signature before the claims are parsed.
 * @param secrets the current and the previous signing secret
 * @returns the claims, or undefined if the token is invalid for this purpose
 */
export const readAccessToken = (secrets: Secrets, token: string, now: Date): AccessClaims | undefined =>
  readToken(secrets, 'access', token, now)

/** Reads a staff view's token; `sessionId` is the view's id. */
export const readViewToken = (secrets: Secrets, token: string, now: Date): AccessClaims | undefined =>
  readToken(secrets, 'view', token, now)

function readToken(secrets: Secrets, purpose: Purpose, token: string, now: Date): AccessClaims | undefined {
  const claims = signedClaims(secrets, token)
  if (claims === undefined || claims.purpose !== purpose) return undefined
  const seconds = now.getTime() / 1000
  if (claims.nbf !== undefined && claims.nbf > seconds + SKEW_SECONDS) return undefined
  return { publicId: claims.sub, sessionId: BigInt(claims.sid), expired: claims.exp <= seconds }
}

/** Caches the claims of tokens with a verified signature, by secrets. */
const found = new WeakMap<Secrets, Map<string, SignedClaims>>()
/** Maximum number of cached tokens, about one megabyte. */
const MAX_CACHED_TOKENS = 2_000

/**
 * Returns the claims of a token with a valid signature, for any purpose and age. The claims are cached, because a signature check is
 * expensive and apps send the same token repeatedly.
 */
function signedClaims(secrets: Secrets, token: string): SignedClaims | undefined {
  const known = found.get(secrets) ?? new Map<string, SignedClaims>()
  found.set(secrets, known)
  const claims = known.get(token) ?? checkedClaims(secrets, token)
  if (claims === undefined || known.has(token)) return claims
  if (known.size >= MAX_CACHED_TOKENS) known.clear()
  known.set(token, claims)
  return claims
}

function checkedClaims(secrets: Secrets, token: string): SignedClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return undefined
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.toString('base64url') !== signature) return undefined
  const input = `${header}.${payload}`
  const known = [secrets.tokenSecret, secrets.tokenSecretPrevious].filter((secret) => secret !== undefined)
  if (!known.some((secret) => equal(sign(input, secret), bytes))) return undefined
  const claims = v.safeParse(claimsSchema, parseJson(Buffer.from(payload, 'base64url').toString('utf8')))
  return claims.success ? claims.output : undefined
}

const equal = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

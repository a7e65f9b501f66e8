import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { shellCommand } from '../../platform/runtime/release.ts'
import { BadUsage, CommandError } from './errors.ts'

/** Connection to an instance. */
export interface Platform {
  /** API base URL, without a trailing slash. */
  baseUrl: string
  /** Folder for the session file. */
  folder: string
  /** Reads a line without echo. */
  ask(question: string): Promise<string>
}

/** Response, with amounts as exact text. */
export interface Reply {
  message: string
  data: unknown
}

interface Request {
  method: string
  path: string
  body?: unknown
  isForm?: boolean
  hasEffectOnce?: boolean
}

/** Stored session: the access token and the refresh cookie, for this platform. */
interface StoredSession {
  baseUrl: string
  token: string
  cookie: string
}

const fileOf = (platform: Platform) => path.join(platform.folder, 'staff-session.json')

function storeSession(platform: Platform, session: Omit<StoredSession, 'baseUrl'>): void {
  const file = fileOf(platform)
  mkdirSync(platform.folder, { recursive: true, mode: 0o700 })
  // Replaces the file, because an existing one would keep its mode.
  rmSync(file, { force: true })
  const text = JSON.stringify({ ...session, baseUrl: platform.baseUrl } satisfies StoredSession)
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
}

function readStored(platform: Platform): StoredSession {
  let text: string
  try {
    text = readFileSync(fileOf(platform), 'utf8')
  } catch {
    throw new CommandError(`You are not signed in. Run ${shellCommand('staff sign-in EMAIL')}`)
  }
  const session = JSON.parse(text) as StoredSession
  if (session.baseUrl !== platform.baseUrl)
    throw new CommandError(`The session belongs to ${session.baseUrl}. Run ${shellCommand('staff sign-in EMAIL')}`)
  return session
}

/** Signs in with password and code, from the terminal or from standard input, one per line. */
export async function signIn(platform: Platform, email: string | undefined): Promise<string[]> {
  if (email === undefined) throw new BadUsage('EMAIL is missing.')
  const { protocol, hostname } = new URL(platform.baseUrl)
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new BadUsage(`${platform.baseUrl} is not encrypted. Use an https address: the password is not sent over http.`)
  }
  const password = await platform.ask('Password: ')
  const otp = await platform.ask('Code of the authenticator app, empty for none: ')
  const body = { email, password, ...(otp === '' ? {} : { otp }) }
  const { answer, cookie } = await exchange(platform, { method: 'POST', path: '/auth/user-login', body }, {})
  const { token } = answer.data as { token: string }
  storeSession(platform, { token, cookie })
  return [`Signed in as ${email}.`]
}

export async function signOut(platform: Platform): Promise<string[]> {
  const { token, cookie } = readStored(platform)
  rmSync(fileOf(platform), { force: true })
  await exchange(platform, { method: 'POST', path: '/auth/log-out', body: {} }, { authorization: token, cookie })
  return ['Signed out.']
}

/**
 * Calls the API with the stored session and renews an expired access token once.
 * @param read parses the response; by default numbers stay text
 */
export async function send(platform: Platform, request: Request, read: (text: string) => unknown = readAnswer): Promise<Reply> {
  const session = readStored(platform)
  // Both attempts share one key, so that the call takes effect at most once.
  const key: Record<string, string> = request.hasEffectOnce === true ? { 'idempotency-key': randomUUID() } : {}
  const ask = (token: string) => exchange(platform, request, { ...key, authorization: token }, { raw: true, read })
  const first = await ask(session.token)
  if (first.status !== 403) return settled(first)
  const renewed = await exchange(platform, { method: 'POST', path: '/auth/refresh-token', body: {} }, { cookie: session.cookie })
  const { accessToken } = renewed.answer.data as { accessToken: string }
  storeSession(platform, { token: accessToken, cookie: renewed.cookie === '' ? session.cookie : renewed.cookie })
  return settled(await ask(accessToken))
}

interface HttpExchange {
  status: number
  answer: Reply & { errorMessages?: { path: string; message: string }[] }
  cookie: string
}

function settled({ status, answer }: HttpExchange): Reply {
  if (status < 400) return answer
  const fieldErrors = (answer.errorMessages ?? []).filter((fault) => fault.path !== '').map((fault) => `${fault.path}: ${fault.message}`)
  throw new CommandError([answer.message, ...fieldErrors].join('\n'))
}

async function exchange(
  platform: Platform,
  request: Request,
  headers: Record<string, string>,
  { raw = false, read = readAnswer }: { raw?: boolean; read?: (text: string) => unknown } = {},
): Promise<HttpExchange> {
  const { method, body, isForm } = request
  const form = isForm === true ? new FormData() : undefined
  for (const [key, value] of Object.entries(form === undefined ? {} : (body as object)))
    form?.append(key, value instanceof Blob ? value : String(value))
  const response = await fetch(`${platform.baseUrl}${request.path}`, {
    method,
    headers: { ...headers, ...(form !== undefined || body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: form ?? JSON.stringify(body) }),
    // Rejects redirects, so that credentials reach only this instance.
    redirect: 'error',
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CommandError(`${platform.baseUrl} does not answer: ${cause}. Check that the API runs and that PUBLIC_URL is its address.`)
  })
  const cookie =
    response.headers
      .getSetCookie()
      .find((one) => one.startsWith('refreshToken='))
      ?.split(';')[0] ?? ''
  const text = await response.text()
  // A proxy may answer with another body.
  if (!text.startsWith('{'))
    throw new CommandError(`${platform.baseUrl} answers ${response.status}, but not from the API. Check the proxy.`)
  const exchanged = { status: response.status, answer: read(text) as HttpExchange['answer'], cookie }
  if (!raw) settled(exchanged)
  return exchanged
}

/** Parses the response without converting its numbers, so that amounts stay exact. */
function readAnswer(text: string): HttpExchange['answer'] {
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? context.source : value,
  ) as HttpExchange['answer']
}

import type { Route } from '@tizara/contract'
import { multipart, squarePng } from './multipart.ts'
import { screeningCsv } from './screening-calls.ts'
import { instance } from './staff-calls.ts'

/** Works like `sendCall`, with the reply's message. */
export async function replyTo(
  route: Route,
  { path, body }: { path: string; body?: unknown },
  token: string | undefined,
): Promise<{ status: number; message: string }> {
  if (route.upload === undefined) {
    const reply = await instance.at.call(route.method, path, { token, body })
    return { status: reply.status, message: String(reply.body?.message) }
  }
  const { field, required } = route.upload
  const bytes = field === 'list' ? screeningCsv(['EU,1,Nobody Known,,,']) : await squarePng()
  const sent = await multipart(body as object, required ? { name: 'a.png', type: 'image/png', bytes } : undefined, field)
  const headers = token === undefined ? sent.headers : { ...sent.headers, authorization: token }
  const reply = await instance.at.app.inject({ method: 'POST', url: `/api/v1${path}`, payload: sent.payload, headers })
  return { status: reply.statusCode, message: String(reply.json<{ message?: unknown }>().message) }
}

/** Sends a staff call and returns the status. */
export async function sendCall(route: Route, call: { path: string; body?: unknown }, token: string | undefined): Promise<number> {
  return (await replyTo(route, call, token)).status
}

import type { Route } from '@tizara/contract'
import { operationOf } from '../src/http/api-page/openapi.ts'
import { urlOf } from '../src/http/calls/call.ts'

/** Request without a session. */
export interface ExampleCall {
  /** Path, with `x` for each id. */
  url: string
  headers: Record<string, string>
  payload?: string | FormData
}

/**
 * Builds a request from the example in the API documentation.
 * @param image PNG for calls with an image
 */
export function exampleCall(route: Route, image: Uint8Array): ExampleCall {
  const url = urlOf(route).replace(/:(\w+)/g, 'x')
  const example = Object.values(operationOf(route, {}).requestBody?.content ?? {})[0]?.example
  if (route.upload === undefined)
    return example === undefined
      ? { url, headers: {} }
      : { url, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(example) }
  const payload = new FormData()
  for (const [name, value] of Object.entries(example as object)) payload.set(name, String(value))
  payload.set(route.upload.field, new File([new Uint8Array(image)], 'a.png', { type: 'image/png' }))
  return { url, headers: {}, payload }
}

import type { ReplyOf } from '@tizara/contract'
import { appConfig } from '@tizara/contract/settings'
import { call } from '../lib/http/api.ts'

/** `GET /config`. */
export async function fetchAppConfig(): Promise<ReplyOf<typeof appConfig>> {
  return (await call(appConfig)).data
}

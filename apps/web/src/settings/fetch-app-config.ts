import { appConfig } from '@tizara/contract/settings'
import { call } from '../lib/api.ts'
import type { AppConfig } from './app-config.ts'

/** `GET /config`. */
export async function fetchAppConfig(): Promise<AppConfig> {
  return (await call(appConfig)).data
}

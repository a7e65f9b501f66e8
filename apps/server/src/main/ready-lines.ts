import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'
import { demoAccounts } from '../sandbox/demo/seed-demo.ts'

/** Returns the last lines of `npm start`: the addresses of all parts, the log file if any, and the demo accounts of a sandbox. */
export async function readyLines(config: Config, db: Db, logFile?: string): Promise<string[]> {
  const at = (path: string) => `${config.publicUrl}${path}`
  const urls: [string, string][] = [
    ['Member app', config.publicUrl],
    ['Staff console', at('/auth-admin')],
    ...(config.sandbox ? [['Mails', at('/sandbox/outbox')] satisfies [string, string]] : []),
    ...(config.apiDocs ? [['API', at('/api/docs')] satisfies [string, string]] : []),
    ...(logFile === undefined ? [] : [['Log', logFile] satisfies [string, string]]),
  ]
  const accounts = config.sandbox ? await demoAccounts(db) : []
  return [
    '',
    `${config.brand.name} is ready: ${config.publicUrl}`,
    '',
    ...urls.map(([name, url]) => `  ${name.padEnd(15)}${url}`),
    ...(accounts.length > 0 ? ['', ...accounts] : []),
  ]
}
